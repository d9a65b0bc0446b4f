import { expect, test } from 'vitest'
import { usualWorkSettings } from '@/lib/contract/settings'
import type { User } from '@/lib/contract/user'
import { selectFindings } from './findings'

const at = '2026-11-20T07:00:00.000Z'
const snapshot = { fetchedAt: at, nextAt: at, stale: false, problem: null, version: 1, unreadable: 0 }
const list = { records: 1, problem: null, setAside: { total: 0, records: [] } }
const mail = { server: 'mail.skola.example', from: 'intag@skola.example', tls: 'always' } as const
const template = { id: 't', name: 'n', subject: 's', body: 'b' }

const user = (part: Partial<User> = {}): User => ({
  id: 'u',
  email: 'u@skola.example',
  name: 'U',
  role: 'admin',
  schools: 'all',
  disabled: false,
  pending: false,
  breakGlass: false,
  createdAt: at,
  ...part,
})

type Facts = Parameters<typeof selectFindings>[0]
const inOrder: Facts = {
  report: {
    status: {
      mode: 'connected',
      now: at,
      lists: { 'asked-questions': snapshot, 'declarations-of-interest': snapshot, 'high-schools': snapshot },
      problems: [],
      budget: { spentThisHour: 1, perHour: 600 },
    },
    lists: { 'asked-questions': list, 'declarations-of-interest': list, 'high-schools': list },
    signOn: { name: 'Skolan', problem: null },
    mail,
  },
  holds: [],
  users: [user(), user()],
  rules: { secondFactorFor: ['admin'] },
  settings: { ...usualWorkSettings, work: { from: null }, replyTo: { norra: 'norra@skola.example' } },
  templates: [
    { ...template, language: 'sv' },
    { ...template, language: 'en' },
  ],
  schoolIds: ['norra'],
  hasPasswords: true,
}
const { report } = inOrder
const { status } = report

test('where all is set and works there is nothing to do', () => expect(selectFindings(inOrder)).toEqual([]))

test('where nobody signs in with a password, a second step is the identity provider’s', () =>
  expect(selectFindings({ ...inOrder, hasPasswords: false, rules: { secondFactorFor: [] } })).toEqual([]))

const problem = { kind: 'unavailable', since: at, list: 'asked-questions', retryAt: at } as const
const unreadable = { ...status.lists, 'asked-questions': { ...snapshot, unreadable: 3 } }

test.each<[string, Partial<Facts>]>([
  ['failing', { report: { ...report, status: { ...status, problems: [problem] } } }],
  ['heldBack', { report: { ...report, status: { ...status, problems: [{ ...problem, isHeldBack: true }] } } }],
  ['unreadable', { report: { ...report, status: { ...status, lists: unreadable } } }],
  ['signOn', { report: { ...report, signOn: { name: 'Skolan', problem: 'no answer' } } }],
  ['purge', { holds: [{ list: 'asked-questions', cause: 'shrunk', before: 9, now: 1, missing: 8, since: at }] }],
  ['blind', { users: [user(), user(), user({ role: 'staff', schools: [] })] }],
  ['invited', { users: [user(), user(), user({ role: 'staff', pending: true })] }],
  ['oneAdmin', { users: [user(), user({ disabled: true }), user({ role: 'staff' })] }],
  ['secondFactor', { rules: { secondFactorFor: ['staff'] } }],
  ['workFrom', { settings: { ...inOrder.settings, work: null } }],
  ['mail', { report: { ...report, mail: null }, schoolIds: ['norra', 'sodra'] }],
  ['replyTo', { schoolIds: ['norra', 'sodra'] }],
  [
    'templates',
    {
      templates: [
        { ...template, language: 'sv' },
        { ...template, language: 'en', isOwn: true },
      ],
    },
  ],
])('%s', (kind, part) => {
  expect(selectFindings({ ...inOrder, ...part }).map((finding) => finding.kind)).toEqual([kind])
})
