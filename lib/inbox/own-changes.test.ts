import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attempt, DeclarationOfInterestItem, LeadStatus, LeadWork, Triage } from '@/lib/contract/lead'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import {
  type ChangeState,
  collectOwnChanges,
  deriveFields,
  invertChange,
  type LeadFields,
  patchContact,
  patchLead,
  patchPage,
  toChangedLead,
  updateWork,
} from './own-changes'
import { head, item, snapshotAt } from './testing/pages'

const kind = 'declaration-of-interest' as const
const triage = (status: LeadStatus, at?: number): Triage => {
  return { status, assignee: null, updatedAt: at === undefined ? null : new Date(at).toISOString() }
}

/** A change of one lead that is on its way. */
function change(id: string, fields: LeadFields, of: 'asked-question' | typeof kind = kind): ChangeState {
  const leads = [{ kind: of, id, before: null, fields }]
  const request = { kind: 'mail' } as const
  return { status: 'pending', variables: { key: id, leads, count: 1, decision: {}, request }, data: undefined }
}

describe('the leads on screen', () => {
  test('have what was decided, each kind by itself, and keep what nothing is decided about', () => {
    const own = collectOwnChanges([change('b', { snoozeUntil: '2026-11-30' }), change('b', { status: 'in-progress' })])
    const page = head(1, ['a', 'b'])
    const [untouched, decided] = patchPage(own, page).items
    expect(untouched).toBe(page.items[0])
    expect(decided).toMatchObject({ snoozeUntil: '2026-11-30', triage: { status: 'in-progress' } })
    expect(decided?.triage).not.toHaveProperty('snoozeUntil')
    const alike = { ...page, items: [questionItem('b')] }
    expect(patchPage(own, alike), 'a question of the same id').toBe(alike)
  })

  test('have an attempt until an answer that was asked for since', () => {
    const attempts = { count: 1, last: null }
    const own = collectOwnChanges([{ ...change('a', { attempts }), status: 'success', data: { answeredAt: 10 } }])
    const shown = [9, 10].map((requestedAt) => patchLead(own, item('a'), { requestedAt }).attempts === attempts)
    expect(shown).toEqual([true, false])
  })

  test('have a decision until an answer has its version, or half a minute has passed', () => {
    const after = { kind, id: 'a', before: triage('new'), after: triage('handled', 5_000) }
    const data = { answeredAt: 10, changed: [after], conflicts: [] }
    const own = collectOwnChanges([{ ...change('a', { status: 'handled' }), status: 'success', data }])
    const status = (requestedAt: number, its = triage('new')) =>
      patchLead(own, { ...item('a'), triage: its }, { requestedAt }).triage.status
    expect([status(9), status(11)], 'another instance may know less').toEqual(['handled', 'handled'])
    expect(status(30_011)).toBe('new')
    expect(status(9, triage('dismissed', 6_000)), 'a colleague’s is newer').toBe('dismissed')
  })

  test('are what they were once a change is taken back, but for what cannot be', () => {
    const lead = { kind, id: 'a', item: { ...item('a'), snoozeUntil: '2026-11-24' } }
    const handled = toChangedLead(lead, deriveFields({ status: 'handled' }))
    const back = invertChange(handled)
    expect(back?.fields).toMatchObject({ status: 'new', snoozeUntil: '2026-11-24' })
    expect(back?.before?.triage.status).toBe('handled')
    expect(invertChange(toChangedLead({ kind, id: 'b' }, { status: 'handled' }))).toBeNull()
    const undo = { ...change('a', { status: 'handled' }), status: 'success' } as const
    const status = [1, 0].map((restored) => {
      const own = collectOwnChanges([{ ...undo, data: { answeredAt: 10, restored } }])
      return patchLead(own, item('a'), { requestedAt: 9 }).triage.status
    })
    expect(status, 'restored or not').toEqual(['handled', 'new'])
  })

  test('of a person are changed by kind and id', () => {
    const reason = { by: 'anchor', sameName: null } as const
    const leads = [
      { kind, lead: declarationItem('1'), reason },
      { kind: 'asked-question' as const, lead: questionItem('1'), reason },
    ]
    const own = collectOwnChanges([change('1', { late: true, status: 'handled' }, 'asked-question')])
    const person = patchContact(own, { id: 'c', leads, total: 2, snapshot: snapshotAt(1), requestedAt: 0 })
    const [declared, asked] = person.leads.map(({ lead }) => lead)
    expect(declared).toEqual(declarationItem('1'))
    expect(asked).toMatchObject({ triage: { status: 'handled' }, late: true })
  })
})

describe('how far a lead has come after a decision or an attempt', () => {
  const over = { waitingSince: null, due: null, late: false }
  test('nothing is waited for once it is closed or put aside', () => {
    expect(deriveFields({ status: 'handled' })).toEqual({ status: 'handled', snoozeUntil: null, ...over })
    expect(deriveFields({ snoozeUntil: '2026-11-30' })).toEqual({ snoozeUntil: '2026-11-30', ...over })
    expect(deriveFields({ status: 'new' })).toEqual({ status: 'new' })
  })

  const waiting = { waitingSince: '2026-11-19T01:56:00Z', due: '2026-11-21', late: true }
  const before: LeadWork = { attempts: { count: 1, last: null }, snoozeUntil: null, ...waiting }
  const now: Attempt = { at: '2026-11-23T08:00:00Z', by: { id: 's', name: 'Sara' }, channel: 'email', outcome: 'sent' }
  const attempts = { count: 2, last: now }
  const back = { snoozeUntil: '2026-11-30' }
  test.each([
    [{ channel: 'email', outcome: 'sent' } as const, { attempts, snoozeUntil: null, ...over }],
    [{ channel: 'phone', outcome: 'no-answer' } as const, { attempts, snoozeUntil: null, ...waiting }],
    [{ channel: 'phone', outcome: 'call-again', ...back } as const, { attempts, ...back, ...over }],
  ])('%o', (attempt, work) => {
    expect(updateWork(before, attempt, now)).toEqual(work)
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

type Version = Triage & { isOwn: boolean }
const untouched: Version = { ...triage('new'), isOwn: false }
const triageOf = ({ isOwn: _isOwn, ...version }: Version): Triage => version

/** A request of the tab. Once the server has it, `outcome` is what came of it, and `after` the version of its lead then. */
type Sent = {
  id: Id
  state: ChangeState
  seen: Triage
  status: LeadStatus
  undoes: Sent | undefined
  outcome?: 'changed' | 'same' | 'conflict'
  after: Version
  index: number
}

/** A tab, its one sender, the server and a colleague; every request reaches the server and comes back in steps of their own. */
function createWorld() {
  let now = 1_000
  const states: ChangeState[] = []
  let own = collectOwnChanges(states)
  const server: Record<Id, Version[]> = { a: [untouched], b: [untouched] }
  const latest = (id: Id) => server[id].at(-1) ?? untouched
  const write = (id: Id, status: LeadStatus, isOwn: boolean) => server[id].push({ ...triage(status, now), isOwn })
  const queue: Sent[] = []
  const done: Sent[] = []
  /** No older version of a lead may be shown than this. */
  const oldest: Record<Id, number> = { a: 0, b: 0 }
  const seeAtLeast = (id: Id, index: number) => (oldest[id] = Math.max(oldest[id], index))
  let page = { ...head(1, IDS), requestedAt: 0 }
  let asked: { requestedAt: number; items?: typeof page.items } | null = null
  const onPage = (id: Id) => page.items.find((lead) => lead.id === id) as DeclarationOfInterestItem
  const shown = (id: Id) => patchLead(own, onPage(id), page).triage
  const add = (id: Id, status: LeadStatus, undoes?: Sent) => {
    const state = change(id, { status })
    queue.push({ id, state, seen: shown(id), status, undoes, after: untouched, index: 0 })
    states.push(state)
    own = collectOwnChanges(states)
  }
  const reachServer = (sent: Sent) => {
    const { id, undoes, status } = sent
    const before = latest(id)
    // One's own change before, which the row may not show yet, is no conflict.
    const isKnown = undoes ? undoes.after === before : before.isOwn || onPage(id).triage.updatedAt === before.updatedAt
    sent.outcome = !isKnown ? 'conflict' : status === before.status ? 'same' : 'changed'
    if (sent.outcome === 'changed') write(id, status, true)
    sent.after = latest(id)
    sent.index = server[id].length - 1
  }
  const settleState = (sent: Sent, next: Partial<ChangeState>) => {
    states[states.indexOf(sent.state)] = { ...sent.state, ...next }
    own = collectOwnChanges(states)
  }
  const answer = (sent: Sent) => {
    queue.shift()
    const { id, undoes, seen, outcome, index } = sent
    const [isChanged, after] = [outcome === 'changed', triageOf(sent.after)]
    const changed = isChanged ? [{ kind, id, before: seen, after }] : []
    const conflicts = outcome === 'conflict' ? [{ kind, id, now: after }] : []
    const its = undoes ? { restored: changed.length } : { changed, conflicts }
    settleState(sent, { status: 'success', data: { answeredAt: now, ...its } })
    if (isChanged || !undoes) seeAtLeast(id, index)
    if (isChanged && !undoes) done.push(sent)
  }
  const show = (items: typeof page.items, requestedAt: number) => {
    page = { ...page, items, requestedAt }
    for (const id of IDS) {
      const { updatedAt, status } = onPage(id).triage
      const index = server[id].findIndex((version) => version.updatedAt === updatedAt)
      // Else it is not seen: what the user did lies over an answer that is too old to have it.
      if (shown(id).updatedAt === updatedAt && shown(id).status === status) seeAtLeast(id, index)
    }
    asked = null
  }
  const run = (one: Step) => {
    now += 1
    const [first] = queue
    switch (one.kind) {
      case 'decide':
        return shown(one.id).status === one.status ? undefined : add(one.id, one.status)
      case 'colleague':
        return latest(one.id).status === one.status ? undefined : write(one.id, one.status, false)
      case 'undo': {
        const last = done.pop()
        return last && add(last.id, last.seen.status, last)
      }
      case 'sent':
        return first && !first.outcome ? reachServer(first) : undefined
      case 'answered':
        return first?.outcome ? answer(first) : undefined
      case 'failed':
        return first && !first.outcome ? (queue.shift(), settleState(first, { status: 'error' })) : undefined
      case 'ask':
        asked ??= { requestedAt: now }
        return undefined
      case 'read':
        if (asked) asked.items ??= page.items.map((lead) => ({ ...lead, triage: triageOf(latest(lead.id as Id)) }))
        return undefined
      case 'shown':
        return asked?.items ? show(asked.items, asked.requestedAt) : undefined
      default:
        return one satisfies never
    }
  }
  /** What may be shown: the last own change until it is answered, then nothing older than what the user knows. */
  const allowed = (id: Id) => {
    const last = queue.findLast((sent) => sent.id === id)
    return last ? [last.status] : server[id].slice(oldest[id]).map(({ status }) => status)
  }
  const check = () => {
    for (const id of IDS) expect(allowed(id)).toContain(shown(id).status)
  }
  const settle = () => {
    while (queue.length > 0) for (const name of ['sent', 'answered'] as const) run({ kind: name })
    for (const name of ['read', 'shown', 'ask', 'read', 'shown'] as const) run({ kind: name })
    for (const id of IDS) expect(shown(id).status, 'in the end what the server has').toBe(latest(id).status)
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
