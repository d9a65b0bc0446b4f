import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attempt, Contact, LeadStatus, LeadWork, Triage } from '@/lib/contract/lead'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import {
  createPendingChanges,
  fieldsAfter,
  foldContact,
  foldLead,
  foldPage,
  type KnownLeads,
  type PendingChange,
  versionOf,
  workAfter,
} from './pending-changes'
import { head, item, snapshotAt } from './testing/pages'

const kind = 'declaration-of-interest' as const
const moment = (at: number) => new Date(at).toISOString()
const triage = (status: LeadStatus, at: number | null = null): Triage => ({
  status,
  assignee: null,
  updatedAt: at === null ? null : moment(at),
})

describe('the leads on screen', () => {
  function pendingAt(clock: { now: number }) {
    const pending = createPendingChanges(() => clock.now)
    return {
      pending,
      decide: (id: string, status: LeadStatus) => pending.add([{ kind, id, from: 'new', fields: { status } }]),
    }
  }

  test('have what was decided, each kind by itself', () => {
    const { pending, decide } = pendingAt({ now: 1 })
    const page = head(1, ['a', 'b'])
    decide('b', 'handled')
    const shown = foldPage(pending.read(), page)
    expect(shown.items.map((one) => one.triage.status)).toEqual(['new', 'handled'])
    const alike = { ...head(1, []), items: [questionItem('b')] }
    expect(foldPage(pending.read(), alike), 'a question of the same id').toEqual(alike)
  })

  test('keep the day on which a lead comes back where nothing is decided about it', () => {
    const { pending, decide } = pendingAt({ now: 1 })
    pending.add([{ kind, id: 'a', from: 'new', fields: { snoozeUntil: '2026-11-30' } }])
    decide('a', 'in-progress')
    const [shown] = foldPage(pending.read(), head(1, ['a'])).items
    expect(shown).toMatchObject({ snoozeUntil: '2026-11-30', triage: { status: 'in-progress' } })
    expect(shown?.triage).not.toHaveProperty('snoozeUntil')
  })

  test('have what another tab has learned, unless it is older than what is known here', () => {
    const heard: KnownLeads[] = []
    const onKnown = (leads: KnownLeads) => heard.push(leads)
    const [here, there] = [createPendingChanges(() => 1, { onKnown }), createPendingChanges(() => 1)]
    const status = (its: typeof here) => foldLead(its.read(), kind, item('a'), { askedAt: 1 }).triage.status
    for (const [as, at] of [
      ['handled', 2_000],
      ['in-progress', 1_000],
    ] as const) {
      const change = here.add([{ kind, id: 'a', from: 'new', fields: { status: as } }])
      here.answered(change, { changed: [{ kind, id: 'a', after: triage(as, at) }], conflicts: [] })
    }
    for (const leads of heard) there.learn(leads)
    expect(status(there)).toBe('handled')
  })

  test('have the answer of an attempt until an answer that was asked for since', () => {
    const clock = { now: 10 }
    const { pending } = pendingAt(clock)
    const attempts = { count: 1, last: null }
    pending.answered(pending.add([{ kind, id: 'a', from: 'new', fields: { attempts } }]), null)
    expect(foldLead(pending.read(), kind, item('a'), { askedAt: 9 }).attempts).toBe(attempts)
    expect(foldLead(pending.read(), kind, item('a'), { askedAt: 10 }).attempts).not.toBe(attempts)
  })

  test('of a person are changed by kind and id', () => {
    const { pending } = pendingAt({ now: 1 })
    const reason = { by: 'anchor', sameName: null } as const
    const person: Contact & { askedAt: number } = {
      id: 'c',
      leads: [
        { kind, lead: declarationItem('1'), reason },
        { kind: 'asked-question', lead: questionItem('1'), reason },
      ],
      total: 2,
      snapshot: snapshotAt(1),
      askedAt: 0,
    }
    pending.add([{ kind: 'asked-question', id: '2', from: 'new', fields: { status: 'handled' } }])
    expect(foldContact(pending.read(), person)).toBe(person)
    pending.add([{ kind: 'asked-question', id: '1', from: 'new', fields: { late: true } }])
    pending.add([{ kind: 'asked-question', id: '1', from: 'new', fields: { status: 'handled' } }])
    expect(foldContact(pending.read(), person).leads.map(({ lead }) => [lead.triage.status, lead.late])).toEqual([
      ['new', false],
      ['handled', true],
    ])
  })
})

describe('the version that a change is compared with', () => {
  const ref = { kind: 'asked-question', id: 'a' } as const

  test('is that on screen; a lead that was never on screen is not compared', () => {
    const pending = createPendingChanges(() => 0)
    expect(versionOf(pending.read(), { ...ref, triage: triage('new') })).toEqual({ ...ref, updatedAt: null })
    expect(versionOf(pending.read(), { ...ref, triage: triage('new', 5) }).updatedAt).toBe(moment(5))
    expect(versionOf(pending.read(), ref)).toEqual(ref)
  })

  test('is that of the own change before, which the row does not show yet, unless the row is newer; none after an undo', () => {
    const pending = createPendingChanges(() => 0)
    const change = pending.add([{ ...ref, from: 'new', fields: { status: 'handled' } }])
    pending.answered(change, { changed: [{ ...ref, after: triage('handled', 1_000) }], conflicts: [] })
    expect(versionOf(pending.read(), { ...ref, triage: triage('new') }).updatedAt).toBe(moment(1_000))
    expect(versionOf(pending.read(), { ...ref, triage: triage('new', 9_000) }).updatedAt).toBe(moment(9_000))
    pending.answered(pending.add([{ ...ref, from: 'handled', fields: { status: 'new' } }]), null)
    expect(versionOf(pending.read(), { ...ref, triage: triage('new') })).toEqual(ref)
  })
})

describe('how far a lead has come after a decision or an attempt', () => {
  const over = { waitingSince: null, due: null, late: false }
  const waiting: LeadWork = {
    attempts: { count: 1, last: null },
    snoozeUntil: null,
    waitingSince: '2026-11-19T01:56:00Z',
    due: '2026-11-21',
    late: true,
  }
  test('nothing is waited for once it is closed or put aside', () => {
    expect(fieldsAfter({ status: 'handled' })).toEqual({ status: 'handled', snoozeUntil: null, ...over })
    expect(fieldsAfter({ snoozeUntil: '2026-11-30' })).toEqual({ snoozeUntil: '2026-11-30', ...over })
    expect(fieldsAfter({ status: 'new' })).toEqual({ status: 'new' })
  })

  const now: Attempt = { at: '2026-11-23T08:00:00Z', by: { id: 's', name: 'Sara' }, channel: 'email', outcome: 'sent' }
  const back = { snoozeUntil: '2026-11-30' }
  test.each([
    [
      { channel: 'email', outcome: 'sent' },
      { ...over, snoozeUntil: null, attempts: { count: 2, last: now } },
    ],
    [
      { channel: 'phone', outcome: 'no-answer' },
      { waitingSince: waiting.waitingSince, due: waiting.due, late: true },
    ],
    [
      { channel: 'phone', outcome: 'call-again', ...back },
      { ...over, ...back },
    ],
  ] as const)('%o', (attempt, work) => {
    expect(workAfter(waiting, attempt, now)).toMatchObject(work)
  })
})

const IDS = ['a', 'b'] as const
type Id = (typeof IDS)[number]
type Step =
  | { is: 'decide' | 'colleague'; id: Id; status: LeadStatus }
  | { is: 'undo' | 'sent' | 'answered' | 'failed' | 'ask' | 'read' | 'shown' }

const idAndStatus = { id: fc.constantFrom(...IDS), status: fc.constantFrom(...LEAD_STATUSES) }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ is: fc.constantFrom('decide' as const), ...idAndStatus }),
  fc.record({ is: fc.constantFrom('colleague' as const), ...idAndStatus }),
  fc.record({ is: fc.constantFrom('undo', 'sent', 'answered', 'failed', 'ask', 'read', 'shown') }),
)

/** A tab, its one sender, the server and a colleague; every request reaches the server and comes back in steps of their own. */
function createWorld() {
  let now = 1_000
  const pending = createPendingChanges(() => now)
  const server = new Map<Id, Triage[]>(IDS.map((id) => [id, [triage('new')]]))
  const latest = (id: Id) => server.get(id)?.at(-1) ?? triage('new')
  const write = (id: Id, status: LeadStatus) => server.get(id)?.push(triage(status, now))
  type Sent = {
    id: Id
    change: PendingChange
    seen: Triage
    status: LeadStatus
    undoes?: Sent
    isChanged?: boolean
    isSame?: boolean
    after?: Triage
    index: number
  }
  const queue: Sent[] = []
  const done: Sent[] = []
  /** No older state of a lead may be shown than this. */
  const oldest = new Map<Id, number>(IDS.map((id) => [id, 0]))
  let page = { ...head(1, IDS), askedAt: 0 }
  let asked: { askedAt: number; items?: typeof page.items } | null = null
  const shown = (id: Id) => foldPage(pending.read(), page).items.find((one) => one.id === id)?.triage
  const add = (id: Id, status: LeadStatus, undoes?: Sent) => {
    const seen = shown(id) ?? triage('new')
    const change = pending.add([{ kind, id, from: seen.status, fields: { status } }])
    queue.push({ id, change, seen, status, index: 0, ...(undoes && { undoes }) })
  }
  const take = (sent: Sent) => {
    const { id, undoes } = sent
    const version = versionOf(pending.read(), { kind, id, triage: sent.seen }).updatedAt
    const before = latest(id)
    const isMine =
      undoes === undefined ? version === undefined || version === before.updatedAt : undoes.after === before
    sent.isChanged = isMine && sent.status !== before.status
    sent.isSame = isMine && sent.status === before.status
    if (sent.isChanged) write(id, sent.status)
    sent.after = latest(id)
    sent.index = (server.get(id)?.length ?? 0) - 1
  }
  const answer = (sent: Sent) => {
    queue.shift()
    const { id, after = latest(id) } = sent
    const isUndo = sent.undoes !== undefined
    if (isUndo && !sent.isChanged) return pending.drop(sent.change)
    oldest.set(id, Math.max(oldest.get(id) ?? 0, sent.index))
    const changed = sent.isChanged ? [{ kind, id, after }] : []
    const conflicts = sent.isChanged || sent.isSame ? [] : [{ kind, id, now: after }]
    pending.answered(sent.change, isUndo ? null : { changed, conflicts })
    if (sent.isChanged && !isUndo) done.push(sent)
  }
  const run = (one: Step) => {
    now += 1
    const [first] = queue
    const isTaken = first?.after !== undefined
    switch (one.is) {
      case 'decide':
        return shown(one.id)?.status === one.status ? undefined : add(one.id, one.status)
      case 'colleague':
        return latest(one.id).status === one.status ? undefined : write(one.id, one.status)
      case 'undo': {
        const last = done.pop()
        return last && add(last.id, last.seen.status, last)
      }
      case 'sent':
        return first && !isTaken ? take(first) : undefined
      case 'answered':
        return first && isTaken ? answer(first) : undefined
      case 'failed':
        return first && !isTaken ? (queue.shift(), pending.drop(first.change)) : undefined
      case 'ask':
        asked ??= { askedAt: now }
        return undefined
      case 'read':
        if (asked !== null && asked.items === undefined)
          asked.items = page.items.map((lead) => ({ ...lead, triage: latest(lead.id as Id) }))
        return undefined
      case 'shown':
        if (asked?.items !== undefined) {
          page = { ...page, items: asked.items, askedAt: asked.askedAt }
          for (const { id, triage: its } of asked.items) {
            const index = server.get(id as Id)?.indexOf(its) ?? 0
            const key = `${kind} ${id}`
            const { known, changes } = pending.read()
            // Not seen: what the user did lies over an answer that was asked for before that was answered.
            const isCovered = changes.some(({ leads, answeredAt }) => leads.has(key) && answeredAt >= page.askedAt)
            if (!isCovered && known.get(key)?.at !== null)
              oldest.set(id as Id, Math.max(oldest.get(id as Id) ?? 0, index))
          }
          asked = null
        }
        return undefined
      default:
        return one satisfies never
    }
  }
  /** What may be shown: the last own change until it is answered, then nothing older than what the user knows. */
  const allowed = (id: Id) => {
    const own = queue.findLast((sent) => sent.id === id)
    const known = server.get(id)?.slice(oldest.get(id)) ?? []
    return own === undefined ? known.map(({ status }) => status) : [own.status]
  }
  const check = () => {
    for (const id of IDS) expect(allowed(id)).toContain(shown(id)?.status)
  }
  const settle = () => {
    while (queue.length > 0) for (const is of ['sent', 'answered'] as const) run({ is })
    for (const is of ['read', 'shown', 'ask', 'read', 'shown'] as const) run({ is })
    for (const id of IDS) expect(shown(id)?.status, 'in the end what the server has').toBe(latest(id).status)
  }
  return { run, check, settle }
}

test('whatever the order of keys, answers, failures, colleagues and refreshes: at once, in order, never back, and right in the end', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const world = createWorld()
      for (const one of steps) {
        world.run(one)
        world.check()
      }
      world.settle()
    }),
    { numRuns: 2_000 },
  )
})
