import { createTranslator } from 'next-intl'
import { expect, test } from 'vitest'
import type { AskedQuestionItem, LeadPerson } from '@/lib/contract/lead'
import sv from '@/lib/i18n/messages/sv/inbox.json'
import { question, unworked } from '@/lib/leads/testing/leads'
import { rowAge, rowStrip } from './row-words'

const t = createTranslator({ locale: 'sv', messages: { inbox: sv }, namespace: 'inbox.row' }) as unknown as Parameters<
  typeof rowAge
>[1]['t']
/** A Monday. */
const today = Date.parse('2026-11-23T13:30:00Z')
const names: Record<string, string> = { norra: 'Norra Gymnasiet', sodra: 'Södra Gymnasiet', gymnasiet: 'Gymnasiet' }
const said = { t, today, locale: 'sv', schoolOf: (id: string) => names[id] ?? id } as const

const item = (fields: Partial<AskedQuestionItem> = {}): AskedQuestionItem => ({
  ...question('q1', { email: 'a@x.se' }),
  ...unworked,
  triage: { status: 'new', assignee: null, updatedAt: null },
  contactId: 'c',
  ...fields,
})
const tried = (outcome: 'sent' | 'no-answer' | 'talked' | 'call-again', channel: 'email' | 'phone', alike?: number) => {
  const by = { id: 'sara', name: 'Sara Lindqvist' }
  const last = { at: '2026-11-23T13:02:00Z', by, channel, outcome }
  return { attempts: { count: alike ?? 1, last, ...(alike !== undefined && { alike }) } }
}
const nothing: LeadPerson = { name: null, declared: [], asked: [], questions: 0, attempts: 0, open: 0, leads: 0 }

test('the time gives way to how long somebody has waited only when that matters', () => {
  const waiting = { waitingSince: '2026-11-20T07:00:00Z' }
  expect(rowAge(item(), said)).toBeNull()
  expect(rowAge(item({ ...waiting, due: '2026-11-24' }), said)).toBeNull()
  expect(rowAge(item({ ...waiting, due: '2026-11-23' }), said)).toBe('svar i dag')
  expect(rowAge(item({ ...waiting, due: '2026-11-20', late: true }), said)).toBe('väntat 3 dagar')
})

test('what was done last, by whom and when', () => {
  expect(rowStrip(item(), said)).toEqual([])
  expect(rowStrip(item(tried('sent', 'email')), said)).toEqual(['mejlad av Sara 14:02'])
  expect(rowStrip(item(tried('talked', 'phone')), said)).toEqual(['pratat med Sara 14:02'])
  expect(rowStrip(item(tried('no-answer', 'phone')), said)).toEqual(['ringd 14:02, inget svar'])
  expect(rowStrip(item(tried('no-answer', 'phone', 2)), said)).toEqual(['ringd 2 gånger, inget svar'])
  const gone = tried('sent', 'email')
  const nobody = { attempts: { ...gone.attempts, last: { ...gone.attempts.last, by: null } } }
  expect(rowStrip(item(nobody), said)).toEqual(['mejlad 14:02'])
})

test('when it comes back, and that somebody waits for a call', () => {
  expect(rowStrip(item({ snoozeUntil: '2026-11-30' }), said)).toEqual(['åter mån 30 nov'])
  const sender = { mode: 'phone', phone: '070-123 45 67', email: null }
  expect(rowStrip(item({ sender, waitingSince: '2026-11-23T07:00:00Z' }), said)).toEqual(['vill bli uppringd'])
  expect(rowStrip(item({ sender }), said)).toEqual([])
})

test('what else the person did, with schools as people call them', () => {
  const person = {
    ...nothing,
    leads: 2,
    questions: 1,
    asked: ['sodra'],
    declared: [{ highSchoolId: 'norra', year: 2027 }],
  }
  expect(rowStrip(item({ person }), said)).toEqual(['anmäld hit 2027', 'fråga Södra', '3 kontakter'])
  const elsewhere = { ...nothing, leads: 1, declared: [{ highSchoolId: 'gymnasiet', year: null }] }
  expect(rowStrip(item({ person: elsewhere }), said)).toEqual(['anmäld Gymnasiet'])
})
