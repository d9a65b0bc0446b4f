import { expect, it } from 'vitest'
import type { Attempt, LeadStatus } from '@/lib/contract/lead'
import { findReplyConflict } from './reply-conflict'

const sara = { id: 'sara', name: 'Sara' }
const at = '2026-11-23T09:00:00Z'
const mail = { at, by: { id: 'eva', name: 'Eva' }, channel: 'email', outcome: 'sent' } as const
const call = { channel: 'phone', outcome: 'no-answer' } as const

it.each<[string, Attempt | null, LeadStatus, string | null, string | null]>([
  ['a mail of a colleague', mail, 'new', null, 'mailed'],
  ['a call of a colleague', { ...mail, ...call }, 'new', null, 'talked'],
  ['a mail of an account that is gone', { ...mail, by: null }, 'new', null, 'mailed'],
  ['a mail that was seen, and the lead is handled', mail, 'handled', at, 'handled'],
  ['a mail of the same user in another tab', { ...mail, by: sara }, 'handled', null, 'mine'],
  ['one more mail of the same user', { ...mail, by: sara }, 'new', '2026-11-23T08:00:00Z', null],
  ['a call of the same user', { ...mail, by: sara, ...call }, 'new', null, null],
  ['that the lead is dismissed', null, 'dismissed', null, 'dismissed'],
])('a writer is told, or not, of %s', (_, last, status, seenAttempt, conflict) => {
  const triage = { status, assignee: null, updatedAt: null }
  const attempts = { count: last === null ? 0 : 1, last }
  expect(findReplyConflict({ attempts, triage }, seenAttempt, 'sara')).toBe(conflict)
})
