import { expect, test } from 'vitest'
import type { Endpoint } from './endpoint'
import { endpoints } from './endpoints'

const namesOf = (is: (endpoint: Endpoint) => boolean | undefined) =>
  Object.entries<Endpoint>(endpoints)
    .filter(([, endpoint]) => is(endpoint))
    .map(([name]) => name)
    .toSorted()

// Written out: what a declaration leaves out must turn something red.

test('only after a fresh proof', () => {
  expect(namesOf(({ proof }) => proof)).toEqual([
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
  ])
})

test('before a second factor is set up that must be', () => {
  expect(namesOf(({ enrolling }) => enrolling)).toEqual([
    'DELETE /api/account/sessions',
    'DELETE /api/account/sessions/[id]',
    'GET /api/account/second-factors',
    'GET /api/account/sessions',
    'POST /api/account/password',
    'POST /api/account/proof',
    'POST /api/account/second-factors/totp',
    'POST /api/account/second-factors/totp/confirm',
  ])
})

test('without a session', () => {
  expect(namesOf(({ who }) => who === 'anyone')).toEqual([
    'GET /api/auth/[...nextauth]',
    'GET /api/health',
    'GET /api/health/live',
    'GET /api/health/ready',
    'POST /api/auth/[...nextauth]',
    'POST /api/invitations',
  ])
})
