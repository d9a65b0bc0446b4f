import { expect, test } from 'vitest'
import { defaultWorkSettings } from '@/lib/contract/settings'
import type { User } from '@/lib/contract/user'
import { createEmptyListState } from '@/server/feed/list-state'
import { selectFindings } from './findings'
import { MAX_SET_ASIDE, toListReport } from './service-report'

const at = '2026-11-20T07:00:00.000Z'
const snapshot = { fetchedAt: at, nextAt: at, stale: false, problem: null, version: 1, unreadable: 0 }
const mail = { server: 'mail.skola.example', sender: 'intag@skola.example', tls: 'always' } as const
const template = (language: 'sv' | 'en') => ({ id: 't', name: 'n', subject: 's', body: 'b', language })
const account = { id: 'u', email: 'u@skola.example', name: 'U', createdAt: at, breakGlass: false }
const user = (part: Partial<User> = {}): User => {
  return { ...account, role: 'admin', schools: 'all', disabled: false, pending: false, ...part }
}

type Facts = Parameters<typeof selectFindings>[0]
const status: Facts['report']['status'] = {
  mode: 'connected',
  now: at,
  lists: { 'asked-questions': snapshot, 'declarations-of-interest': snapshot, 'high-schools': snapshot },
  problems: [],
  budget: { spentThisHour: 1, perHour: 600 },
}
const report = { status, signOn: { name: 'Skolan', problem: null }, mail } as Facts['report']
const inOrder: Facts = {
  report,
  holds: [],
  users: [user(), user()],
  rules: { secondFactorFor: ['admin'] },
  settings: { ...defaultWorkSettings, work: { from: null }, replyTo: { norra: 'norra@skola.example' } },
  templates: [template('sv'), template('en')],
  schoolIds: ['norra'],
  hasPasswordSignIn: true,
}

test('where all is set and works there is nothing to do', () => {
  expect(selectFindings(inOrder)).toEqual([])
})

test('where nobody signs in with a password, a second step is the identity provider’s', () => {
  expect(selectFindings({ ...inOrder, hasPasswordSignIn: false, rules: { secondFactorFor: [] } })).toEqual([])
})

const failing = { kind: 'unavailable', since: at, list: 'asked-questions', retryAt: at } as const
const unreadable = { ...status.lists, 'asked-questions': { ...snapshot, unreadable: 3 } }
const hold = { list: 'asked-questions', cause: 'shrunk', before: 9, now: 1, missing: 8, since: at } as const

test.each<[string, Partial<Facts>]>([
  ['failing', { report: { ...report, status: { ...status, problems: [failing] } } }],
  ['heldBack', { report: { ...report, status: { ...status, problems: [{ ...failing, isHeldBack: true }] } } }],
  ['unreadable', { report: { ...report, status: { ...status, lists: unreadable } } }],
  ['signOn', { report: { ...report, signOn: { name: 'Skolan', problem: 'no answer' } } }],
  ['purge', { holds: [hold] }],
  ['blind', { users: [user(), user(), user({ role: 'staff', schools: [] })] }],
  ['invited', { users: [user(), user(), user({ role: 'staff', pending: true })] }],
  ['oneAdmin', { users: [user(), user({ disabled: true }), user({ role: 'staff' })] }],
  ['secondFactor', { rules: { secondFactorFor: ['staff'] } }],
  ['workFrom', { settings: { ...inOrder.settings, work: null } }],
  ['mail', { report: { ...report, mail: null }, schoolIds: ['norra', 'sodra'] }],
  ['replyTo', { schoolIds: ['norra', 'sodra'] }],
  ['templates', { templates: [template('sv'), { ...template('en'), isOwn: true }] }],
])('an administrator is told of %s', (kind, part) => {
  expect(selectFindings({ ...inOrder, ...part }).map((finding) => finding.kind)).toEqual([kind])
})

test('the report on a list has its last problem, names the first records set aside and counts them all', () => {
  const records = Array.from({ length: 1_000 }, (_, index) => ({ index, id: `d${index}`, reason: 'id: duplicate' }))
  const problem = { kind: 'unauthenticated', since: 0, detail: 'status 401' } as const
  const listReport = toListReport({ ...createEmptyListState(), content: { unreadable: records }, problem }, 24)
  const setAside = { total: 1_000, records: records.slice(0, MAX_SET_ASIDE) }
  expect(listReport).toEqual({ records: 24, problem: { detail: 'status 401' }, setAside })
})
