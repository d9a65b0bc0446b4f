import { createTranslator } from 'next-intl'
import { expect, test } from 'vitest'
import type { AskedQuestionItem, LeadPerson } from '@/lib/contract/lead'
import sv from '@/lib/i18n/messages/sv/inbox.json'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import { describeDeadline, findYearOfOtherCohort, toRowTexts } from './row-text'

type Said = Parameters<typeof toRowTexts>[1]
const t = createTranslator({ locale: 'sv', messages: { inbox: sv }, namespace: 'inbox.row' }) as unknown as Said['t']
/** A Monday. */
const todayMs = Date.parse('2026-11-23T13:30:00Z')
const names: Record<string, string> = { norra: 'Norra Gymnasiet', sodra: 'Södra Gymnasiet', gymnasiet: 'Gymnasiet' }
const said = { t, todayMs, locale: 'sv', toSchoolName: (id: string) => names[id] ?? id, cohort: 2027 } as const

const item = (fields: Partial<AskedQuestionItem> = {}) => ({ ...questionItem('q1', { email: 'a@x.se' }), ...fields })
const tried = (outcome: 'sent' | 'no-answer' | 'talked' | 'call-again', channel: 'email' | 'phone', alike?: number) => {
  const by = { id: 'sara', name: 'Sara Lindqvist' }
  const last = { at: '2026-11-23T13:02:00Z', by, channel, outcome }
  return { attempts: { count: alike ?? 1, last, ...(alike !== undefined && { alike }) } }
}
const nothing: LeadPerson = { name: null, declared: [], asked: [], questions: 0, attempts: 0, open: 0, leads: 0 }

test.each<[Partial<AskedQuestionItem>, string | null, string | null]>([
  [{ waitingSince: null }, null, null],
  [{ due: '2026-11-24' }, null, 'svar i morgon'],
  [{ due: '2026-11-26' }, null, 'svar tors 26 nov'],
  [{ due: '2026-11-23' }, 'svar i dag', 'svar i dag'],
  [{ due: '2026-11-20', late: true }, 'väntat 3 dagar', 'väntat 3 dagar'],
])('instead of the time of %j a list says %j, a queue %j', (fields, ...texts) => {
  const lead = item({ waitingSince: '2026-11-20T07:00:00Z', ...fields })
  expect([false, true].map((inQueue) => describeDeadline(lead, { ...said, isQueue: inQueue }))).toEqual(texts)
})

const sara = tried('sent', 'email').attempts
const sender = { mode: 'phone', phone: '070-123 45 67', email: null }
test.each<[Partial<AskedQuestionItem>, string[]]>([
  [{}, []],
  [tried('sent', 'email'), ['mejlad av Sara 14:02']],
  [tried('talked', 'phone'), ['pratat med Sara 14:02']],
  [tried('no-answer', 'phone'), ['ringd 14:02, inget svar']],
  [tried('no-answer', 'phone', 2), ['ringd 2 gånger, inget svar']],
  [{ attempts: { ...sara, last: { ...sara.last, by: null } } }, ['mejlad 14:02']],
  [{ snoozeUntil: '2026-11-30' }, ['påminns mån 30 nov']],
  [{ sender, waitingSince: '2026-11-23T07:00:00Z' }, ['vill bli uppringd']],
  [{ sender }, []],
])('of %j a row says %j', (fields, words) => expect(toRowTexts(item(fields), said)).toEqual(words))

test('what else the person did, with schools as people call them', () => {
  const declared = [{ highSchoolId: 'norra', year: 2027 }]
  const person = { ...nothing, leads: 2, questions: 1, asked: ['sodra'], declared }
  expect(toRowTexts(item({ person }), said)).toEqual(['anmäld hit', 'fråga Södra', '3 ärenden'])
  const elsewhere = { ...nothing, leads: 1, declared: [{ highSchoolId: 'gymnasiet', year: null }] }
  expect(toRowTexts(item({ person: elsewhere }), said)).toEqual(['anmäld Gymnasiet'])
})

test('the year goes without saying for the cohort whose admission goes on', () => {
  const ofYear = (year: number | null) =>
    findYearOfOtherCohort(declarationItem('d1', { highSchoolEnrollmentYear: year }), 2027)
  expect([2026, 2027, 2028, null].map(ofYear)).toEqual([2026, null, 2028, null])
})

test('of another name with the same phone a row says whose it is, not what they did', () => {
  const others = [
    { name: 'Elias', by: 'phone', isSibling: true },
    { name: 'Maja', by: 'phone', isSibling: true },
    { name: 'Bo', by: 'email', isSibling: false },
  ] as const
  const shared = { declared: [{ highSchoolId: 'norra', year: 2026 }], asked: [], leads: 1, others: [...others] }
  const declared = [{ highSchoolId: 'norra', year: 2025 }, ...shared.declared]
  const person = { ...nothing, leads: 4, declared, asked: ['sodra'], shared }
  const words = ['anmäld hit 2026', 'syskon till Elias och Maja', 'samma e-post som Bo']
  expect(toRowTexts(item({ person }), said)).toEqual(words)
})
