import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attempt, Contact, DeclarationOfInterestItem, LeadStatus, LeadWork, Triage } from '@/lib/contract/lead'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import {
  changedBack,
  changedLead,
  type ChangeState,
  fieldsAfter,
  foldContact,
  foldLead,
  foldPage,
  type LeadFields,
  ownChanges,
  workAfter,
} from './own-changes'
import { head, item, snapshotAt } from './testing/pages'

const kind = 'declaration-of-interest' as const
const moment = (at: number) => new Date(at).toISOString()
const triage = (status: LeadStatus, at: number | null = null): Triage => ({
  status,
  assignee: null,
  updatedAt: at === null ? null : moment(at),
})

/** A change of one lead that is on its way. */
function change(id: string, fields: LeadFields, of: 'asked-question' | typeof kind = kind): ChangeState {
  const leads = [{ kind: of, id, before: null, fields }]
  const request = { kind: 'mail' } as const
  return { status: 'pending', variables: { key: id, leads, count: 1, decision: {}, request }, data: undefined }
}

describe('the leads on screen', () => {
  test('have what was decided, each kind by itself', () => {
    const own = ownChanges([change('b', { status: 'handled' })])
    const page = head(1, ['a', 'b'])
    expect(foldPage(own, page).items.map((one) => one.triage.status)).toEqual(['new', 'handled'])
    const alike = { ...head(1, []), items: [questionItem('b')] }
    expect(foldPage(own, alike), 'a question of the same id').toBe(alike)
    expect(foldPage(ownChanges([{ ...change('b', { status: 'handled' }), status: 'error' }]), page)).toBe(page)
  })

  test('keep the day on which a lead comes back where nothing is decided about it', () => {
    const own = ownChanges([change('a', { snoozeUntil: '2026-11-30' }), change('a', { status: 'in-progress' })])
    const [shown] = foldPage(own, head(1, ['a'])).items
    expect(shown).toMatchObject({ snoozeUntil: '2026-11-30', triage: { status: 'in-progress' } })
    expect(shown?.triage).not.toHaveProperty('snoozeUntil')
  })

  test('have an attempt until an answer that was asked for since', () => {
    const attempts = { count: 1, last: null }
    const own = ownChanges([{ ...change('a', { attempts }), status: 'success', data: { answeredAt: 10 } }])
    expect(foldLead(own, kind, item('a'), { askedAt: 9 }).attempts).toBe(attempts)
    expect(foldLead(own, kind, item('a'), { askedAt: 10 }).attempts).not.toBe(attempts)
  })

  test('have a decision until an answer has its version, or half a minute has passed', () => {
    const after = { kind, id: 'a', before: triage('new'), after: triage('handled', 5_000) }
    const data = { answeredAt: 10, changed: [after], conflicts: [] }
    const own = ownChanges([{ ...change('a', { status: 'handled' }), status: 'success', data }])
    const status = (askedAt: number, its = triage('new')) =>
      foldLead(own, kind, { ...item('a'), triage: its }, { askedAt }).triage.status
    expect([status(9), status(11), status(30_011)], 'another instance may know less').toEqual([
      'handled',
      'handled',
      'new',
    ])
    expect(status(9, triage('dismissed', 6_000)), 'a colleague’s is newer').toBe('dismissed')
  })

  test('have what a colleague did where it was faster', () => {
    const now = { ...triage('in-progress', 5_000), updatedBy: { id: 'k', name: 'Karin' } }
    const data = { answeredAt: 10, changed: [], conflicts: [{ kind, id: 'a', now }] }
    const own = ownChanges([{ ...change('a', { status: 'handled' }), status: 'success', data }])
    expect(foldLead(own, kind, item('a'), { askedAt: 9 }).triage).toMatchObject({ status: 'in-progress' })
  })

  test('are what they were once a change is taken back, but for what cannot be', () => {
    const lead = { kind, id: 'a', item: { ...item('a'), snoozeUntil: '2026-11-24' } }
    const handled = changedLead(lead, fieldsAfter({ status: 'handled' }))
    const back = changedBack(handled)
    expect(back?.fields).toMatchObject({ status: 'new', snoozeUntil: '2026-11-24' })
    expect(back?.before?.triage.status).toBe('handled')
    expect(changedBack(changedLead({ kind, id: 'b' }, { status: 'handled' }))).toBeNull()
    const refused = {
      ...change('a', { status: 'new' }),
      status: 'success',
      data: { answeredAt: 1, restored: 0 },
    } as const
    expect(foldPage(ownChanges([refused]), head(1, ['a']))).toEqual(head(1, ['a']))
  })

  test('of a person are changed by kind and id', () => {
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
    const other = change('2', { status: 'handled' }, 'asked-question')
    expect(foldContact(ownChanges([other]), person)).toBe(person)
    const own = ownChanges([
      other,
      change('1', { late: true }, 'asked-question'),
      change('1', { status: 'handled' }, 'asked-question'),
    ])
    expect(foldContact(own, person).leads.map(({ lead }) => [lead.triage.status, lead.late])).toEqual([
      ['new', false],
      ['handled', true],
    ])
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
  | { kind: 'decide' | 'colleague'; id: Id; status: LeadStatus }
  | { kind: 'undo' | 'sent' | 'answered' | 'failed' | 'ask' | 'read' | 'shown' }

const idAndStatus = { id: fc.constantFrom(...IDS), status: fc.constantFrom(...LEAD_STATUSES) }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('decide' as const), ...idAndStatus }),
  fc.record({ kind: fc.constantFrom('colleague' as const), ...idAndStatus }),
  fc.record({ kind: fc.constantFrom('undo', 'sent', 'answered', 'failed', 'ask', 'read', 'shown') }),
)

/** A tab, its one sender, the server and a colleague; every request reaches the server and comes back in steps of their own. */
function createWorld() {
  let now = 1_000
  const states: ChangeState[] = []
  let own = ownChanges(states)
  type Version = Triage & { isOwn: boolean }
  const server = new Map<Id, Version[]>(IDS.map((id) => [id, [{ ...triage('new'), isOwn: false }]]))
  const latest = (id: Id): Version => server.get(id)?.at(-1) ?? { ...triage('new'), isOwn: false }
  const write = (id: Id, status: LeadStatus, isOwn: boolean) => server.get(id)?.push({ ...triage(status, now), isOwn })
  type Sent = {
    id: Id
    state: ChangeState
    seen: Triage
    status: LeadStatus
    undoes?: Sent
    isChanged?: boolean
    isSame?: boolean
    after?: Version
    index: number
  }
  const queue: Sent[] = []
  const done: Sent[] = []
  /** No older state of a lead may be shown than this. */
  const oldest = new Map<Id, number>(IDS.map((id) => [id, 0]))
  let page = { ...head(1, IDS), askedAt: 0 }
  let asked: { askedAt: number; items?: typeof page.items } | null = null
  const shown = (id: Id) =>
    page.items.map((one) => foldLead(own, kind, one as DeclarationOfInterestItem, page)).find((one) => one.id === id)
      ?.triage
  const add = (id: Id, status: LeadStatus, undoes?: Sent) => {
    const state = change(id, { status })
    const seen = shown(id) ?? triage('new')
    states.push(state)
    own = ownChanges(states)
    queue.push({ id, state, seen, status, index: 0, ...(undoes && { undoes }) })
  }
  const version = (id: Id) => page.items.find((one) => one.id === id)?.triage.updatedAt
  const take = (sent: Sent) => {
    const { id, undoes } = sent
    const before = latest(id)
    // One's own change before, which the row may not show yet, is no conflict.
    const isMine = undoes === undefined ? before.isOwn || version(id) === before.updatedAt : undoes.after === before
    sent.isChanged = isMine && sent.status !== before.status
    sent.isSame = isMine && sent.status === before.status
    if (sent.isChanged) write(id, sent.status, true)
    sent.after = latest(id)
    sent.index = (server.get(id)?.length ?? 0) - 1
  }
  const settleState = (sent: Sent, next: Partial<ChangeState>) => {
    states[states.indexOf(sent.state)] = { ...sent.state, ...next }
    own = ownChanges(states)
  }
  const answer = (sent: Sent) => {
    queue.shift()
    const { id, after = latest(id) } = sent
    const isUndo = sent.undoes !== undefined
    const { isOwn: _isOwn, ...told } = after
    if (isUndo) {
      settleState(sent, { status: 'success', data: { answeredAt: now, restored: sent.isChanged ? 1 : 0 } })
    } else {
      const changed = sent.isChanged ? [{ kind, id, before: sent.seen, after: told }] : []
      const conflicts = sent.isChanged || sent.isSame ? [] : [{ kind, id, now: told }]
      settleState(sent, { status: 'success', data: { answeredAt: now, changed, conflicts } })
    }
    if (isUndo && !sent.isChanged) return
    oldest.set(id, Math.max(oldest.get(id) ?? 0, sent.index))
    if (sent.isChanged && !isUndo) done.push(sent)
  }
  const run = (one: Step) => {
    now += 1
    const [first] = queue
    const isTaken = first?.after !== undefined
    switch (one.kind) {
      case 'decide':
        return shown(one.id)?.status === one.status ? undefined : add(one.id, one.status)
      case 'colleague':
        return latest(one.id).status === one.status ? undefined : write(one.id, one.status, false)
      case 'undo': {
        const last = done.pop()
        return last && add(last.id, last.seen.status, last)
      }
      case 'sent':
        return first && !isTaken ? take(first) : undefined
      case 'answered':
        return first && isTaken ? answer(first) : undefined
      case 'failed':
        return first && !isTaken ? (queue.shift(), settleState(first, { status: 'error' })) : undefined
      case 'ask':
        asked ??= { askedAt: now }
        return undefined
      case 'read':
        if (asked !== null && asked.items === undefined)
          asked.items = page.items.map((lead) => {
            const { isOwn: _isOwn, ...its } = latest(lead.id as Id)
            return { ...lead, triage: its }
          })
        return undefined
      case 'shown':
        if (asked?.items !== undefined) {
          page = { ...page, items: asked.items, askedAt: asked.askedAt }
          for (const { id, triage: its } of asked.items) {
            const versions = server.get(id as Id) ?? []
            const index = versions.findIndex(({ updatedAt }) => updatedAt === its.updatedAt)
            // Not seen: what the user did lies over an answer that is too old to have it.
            if (shown(id as Id)?.updatedAt === its.updatedAt && shown(id as Id)?.status === its.status)
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
    const last = queue.findLast((sent) => sent.id === id)
    const known = server.get(id)?.slice(oldest.get(id)) ?? []
    return last === undefined ? known.map(({ status }) => status) : [last.status]
  }
  const check = () => {
    for (const id of IDS) expect(allowed(id)).toContain(shown(id)?.status)
  }
  const settle = () => {
    while (queue.length > 0) for (const name of ['sent', 'answered'] as const) run({ kind: name })
    for (const name of ['read', 'shown', 'ask', 'read', 'shown'] as const) run({ kind: name })
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
