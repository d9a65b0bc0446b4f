import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Attempt, LeadStatus, LeadWork, Triage } from '@/lib/contract/lead'
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
  toAnswerDecision,
  toChangedLead,
  updateWork,
} from './own-changes'
import { item, snapshotAt } from './testing/pages'

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

test('the leads on screen have an attempt until an answer that was asked for since', () => {
  const attempts = { count: 1, last: null }
  const own = collectOwnChanges([{ ...change('a', { attempts }), status: 'success', data: { answeredAt: 10 } }])
  const shown = [9, 10].map((requestedAt) => patchLead(own, item('a'), { requestedAt }).attempts === attempts)
  expect(shown).toEqual([true, false])
})

test('the leads on screen have a decision until an answer has its version, or half a minute has passed', () => {
  const after = { kind, id: 'a', before: triage('new'), after: triage('handled', 5_000) }
  const data = { answeredAt: 10, changed: [after], conflicts: [] }
  const own = collectOwnChanges([{ ...change('a', { status: 'handled' }), status: 'success', data }])
  const status = (requestedAt: number, its = triage('new')) =>
    patchLead(own, { ...item('a'), triage: its }, { requestedAt }).triage.status
  expect([status(9), status(11)], 'another instance may know less').toEqual(['handled', 'handled'])
  expect(status(30_011)).toBe('new')
  expect(status(9, triage('dismissed', 6_000)), 'a colleague’s is newer').toBe('dismissed')
})

test('the leads on screen are what they were once a change is taken back, but for what cannot be', () => {
  const lead = { kind, id: 'a', item: { ...item('a'), snoozeUntil: '2026-11-24' } }
  const handled = toChangedLead(lead, deriveFields({ status: 'handled' }))
  const back = invertChange(handled)
  expect(back?.fields).toMatchObject({ status: 'new', snoozeUntil: '2026-11-24' })
  expect(back?.before?.triage.status).toBe('handled')
  expect(invertChange(toChangedLead({ kind, id: 'b' }, { status: 'handled' }))).toBeNull()
  const undo = { ...change('a', { status: 'handled' }), status: 'success' } as const
  const status = [1, 0].map((restoredCount) => {
    const own = collectOwnChanges([{ ...undo, data: { answeredAt: 10, restoredCount } }])
    return patchLead(own, item('a'), { requestedAt: 9 }).triage.status
  })
  expect(status, 'restored or not').toEqual(['handled', 'new'])
})

test('the leads on screen of a person are changed by kind and id', () => {
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

const NOTHING_DUE = { waitingSince: null, due: null, late: false }
test.each([
  [{ status: 'handled' } as const, { status: 'handled', snoozeUntil: null, ...NOTHING_DUE }],
  [{ snoozeUntil: '2026-11-30' }, { snoozeUntil: '2026-11-30', ...NOTHING_DUE }],
  [{ status: 'new' } as const, { status: 'new' }],
])('from the decision %o follows %o', (decision, fields) => expect(deriveFields(decision)).toEqual(fields))

test.each<[LeadStatus, boolean, object]>([
  ['new', true, { status: 'handled' }],
  ['new', false, { status: 'in-progress' }],
  ['dismissed', false, {}],
])('from the answer to a lead that is %s, the last one: %s, follows %o', (status, isFinished, decision) => {
  expect(toAnswerDecision({ triage: triage(status) }, isFinished)).toEqual(decision)
})

const waiting = { waitingSince: '2026-11-19T01:56:00Z', due: '2026-11-21', late: true }
const untried: LeadWork = { attempts: { count: 1, last: null }, snoozeUntil: null, ...waiting }
const lastAttempt: Attempt = { at: '2026-11-23T08:00:00Z', by: null, channel: 'email', outcome: 'sent' }
const attempts = { count: 2, last: lastAttempt }
const putAside = { snoozeUntil: '2026-11-30' }
test.each([
  [{ channel: 'email', outcome: 'sent' } as const, { attempts, snoozeUntil: null, ...NOTHING_DUE }],
  [{ channel: 'phone', outcome: 'no-answer' } as const, { attempts, snoozeUntil: null, ...waiting }],
  [{ channel: 'phone', outcome: 'call-again', ...putAside } as const, { attempts, ...putAside, ...NOTHING_DUE }],
])('from the attempt %o follows %o', (attempt, work) => {
  expect(updateWork(untried, attempt, lastAttempt)).toEqual(work)
})

type Step =
  | { kind: 'decide' | 'colleague'; status: LeadStatus }
  | { kind: 'undo' | 'sent' | 'answered' | 'failed' | 'ask' | 'read' | 'shown' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('decide', 'colleague'), status: fc.constantFrom(...LEAD_STATUSES) }),
  fc.record({ kind: fc.constantFrom('undo', 'sent', 'answered', 'failed', 'ask', 'read', 'shown') }),
)

type Version = Triage & { isOwn: boolean }
const triageOf = ({ isOwn: _isOwn, ...version }: Version): Triage => version

/** A request of the tab. Once the server has it, `outcome` is what came of it, and `index` the lead's version then. */
type Sent = {
  state: ChangeState
  seen: Triage
  status: LeadStatus
  undoes: Sent | undefined
  outcome?: 'changed' | 'same' | 'conflict'
  index: number
}

/** A lead in a tab, its one sender, the server and a colleague; a request and its answer are steps of their own. */
function createWorld() {
  let now = 1_000
  const states: ChangeState[] = []
  let own = collectOwnChanges(states)
  const server: [Version, ...Version[]] = [{ ...triage('new'), isOwn: false }]
  const latest = () => server.at(-1) ?? server[0]
  const write = (status: LeadStatus, isOwn: boolean) => server.push({ ...triage(status, now), isOwn })
  const queue: Sent[] = []
  const done: Sent[] = []
  /** No older version of the lead may be shown than this. */
  let oldest = 0
  let page = { item: item('a'), requestedAt: 0 }
  let asked: { requestedAt: number; triage?: Triage } | null = null
  const shown = () => patchLead(own, page.item, page).triage
  const add = (status: LeadStatus, undoes?: Sent) => {
    const state = change('a', { status })
    queue.push({ state, seen: shown(), status, undoes, index: 0 })
    states.push(state)
    own = collectOwnChanges(states)
  }
  const reachServer = (sent: Sent) => {
    const before = latest()
    // One's own change before, which the row may not show yet, is no conflict.
    const isSeen = before.isOwn || page.item.triage.updatedAt === before.updatedAt
    const isKnown = sent.undoes ? server[sent.undoes.index] === before : isSeen
    sent.outcome = !isKnown ? 'conflict' : sent.status === before.status ? 'same' : 'changed'
    if (sent.outcome === 'changed') write(sent.status, true)
    sent.index = server.length - 1
  }
  const settleState = (sent: Sent, next: Partial<ChangeState>) => {
    states[states.indexOf(sent.state)] = { ...sent.state, ...next }
    own = collectOwnChanges(states)
  }
  const answer = (sent: Sent) => {
    queue.shift()
    const { undoes, seen, outcome, index } = sent
    const lead = { kind, id: 'a' }
    const after = triageOf(server[index] ?? server[0])
    const changed = outcome === 'changed' ? [{ ...lead, before: seen, after }] : []
    const conflicts = outcome === 'conflict' ? [{ ...lead, now: after }] : []
    const its = undoes ? { restoredCount: changed.length } : { changed, conflicts }
    settleState(sent, { status: 'success', data: { answeredAt: now, ...its } })
    if (outcome === 'changed' || !undoes) oldest = Math.max(oldest, index)
    if (outcome === 'changed' && !undoes) done.push(sent)
  }
  const show = (its: Triage, requestedAt: number) => {
    page = { item: { ...page.item, triage: its }, requestedAt }
    asked = null
    const { updatedAt, status } = shown()
    const index = server.findIndex((version) => version.updatedAt === its.updatedAt)
    // Else it is not seen: what the user did lies over an answer that is too old to have it.
    if (updatedAt === its.updatedAt && status === its.status) oldest = Math.max(oldest, index)
  }
  const run = (one: Step) => {
    now += 1
    const [first] = queue
    switch (one.kind) {
      case 'decide':
        return shown().status === one.status ? undefined : add(one.status)
      case 'colleague':
        return latest().status === one.status ? undefined : void write(one.status, false)
      case 'undo': {
        const last = done.pop()
        return last && add(last.seen.status, last)
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
        if (asked) asked.triage ??= triageOf(latest())
        return undefined
      case 'shown':
        return asked?.triage ? show(asked.triage, asked.requestedAt) : undefined
      default:
        return one satisfies never
    }
  }
  /** The last own change may be shown until it is answered, then nothing older than what the user knows. */
  const check = () => {
    const last = queue.at(-1)
    expect(last ? [last.status] : server.slice(oldest).map(({ status }) => status)).toContain(shown().status)
  }
  const settle = () => {
    while (queue.length > 0) for (const name of ['sent', 'answered'] as const) run({ kind: name })
    for (const name of ['read', 'shown', 'ask', 'read', 'shown'] as const) run({ kind: name })
    expect(shown().status, 'in the end what the server has').toBe(latest().status)
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
