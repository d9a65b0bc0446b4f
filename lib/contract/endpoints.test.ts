import { expect, test } from 'vitest'
import type { Endpoint } from './endpoint'
import { endpoints } from './endpoints'

// The names are written out, so that a declaration that leaves something out turns a test red.
test.each<[string, (endpoint: Endpoint) => boolean, string[]]>([
  [
    'only after a fresh proof',
    ({ proof }) => proof === true,
    [
      'DELETE /api/account/second-factors/[id]',
      'DELETE /api/protections/[id]',
      'DELETE /api/users/[id]/second-factors',
      'DELETE /api/users/[id]/sessions',
      'PATCH /api/protections/[id]',
      'PATCH /api/users/[id]',
      'POST /api/account/recovery-codes',
      'POST /api/account/second-factors/totp',
      'POST /api/account/second-factors/totp/confirm',
      'POST /api/contacts/[id]/erasure',
      'POST /api/protections',
      'POST /api/users',
      'POST /api/users/[id]/invitation',
      'PUT /api/sign-in-rules',
    ],
  ],
  [
    'before a required second factor is set up',
    ({ enrolling }) => enrolling === true,
    [
      'DELETE /api/account/sessions',
      'DELETE /api/account/sessions/[id]',
      'GET /api/account/second-factors',
      'GET /api/account/sessions',
      'POST /api/account/password',
      'POST /api/account/proof',
      'POST /api/account/second-factors/totp',
      'POST /api/account/second-factors/totp/confirm',
    ],
  ],
  [
    'without a session',
    ({ who }) => who === 'anyone',
    [
      'GET /api/auth/[...nextauth]',
      'GET /api/health',
      'GET /api/health/live',
      'GET /api/health/ready',
      'POST /api/auth/[...nextauth]',
      'POST /api/invitations',
    ],
  ],
])('%s these may be called', (_, isListed, names) => {
  const listed = Object.entries<Endpoint>(endpoints).filter(([, endpoint]) => isListed(endpoint))
  expect(listed.map(([name]) => name).toSorted()).toEqual(names)
})

const leads = [{ kind: 'asked-question', id: 'q1' }]
const otherLeads = [{ kind: 'declaration-of-interest', id: 'd1' }]
const matching = { list: 'asked-questions' }
const others = { list: 'declarations-of-interest' }
const status = 'handled'
const file = { ...matching, purpose: 'Ringa' }
const news = { ...file, newOnly: true }

test.each<[string, string, object, object]>([
  ['a decision of nothing', 'PATCH /api/triage', { leads }, { leads, snoozeUntil: null }],
  ['a decision about no leads', 'PATCH /api/triage', { status }, { status, matching }],
  ['a decision about named and matching leads', 'PATCH /api/triage', { status, matching, leads }, { status, leads }],
  ['a file of no leads', 'POST /api/exports', file, { ...file, leads }],
  ['a file of leads of another list', 'POST /api/exports', { ...file, leads: otherLeads }, { ...file, leads }],
  ['a file by a filter of another list', 'POST /api/exports', { ...file, matching: others }, { ...file, matching }],
  ['a file of what is new of named leads', 'POST /api/exports', { ...news, leads }, { ...news, matching }],
  ['a protection that shows nobody', 'PATCH /api/protections/[id]', { people: [] }, { people: ['sara'] }],
])('%s is refused', (_, name, refused, taken) => {
  const { body } = (endpoints as Record<string, Endpoint>)[name] ?? {}
  expect([refused, taken].map((each) => body?.safeParse(each).success)).toEqual([false, true])
})
