import { createFormatter, createTranslator } from 'next-intl'
import { expect, test } from 'vitest'
import { ACTIVITY_ACTIONS } from '@/lib/contract/activity-actions'
import * as en from '@/lib/i18n/messages/en'
import * as sv from '@/lib/i18n/messages/sv'
import { writeActivitySentence } from './activity-sentence'

type LogEntry = Parameters<typeof writeActivitySentence>[0]
type SentenceContext = Parameters<typeof writeActivitySentence>[1]
const lead = { kind: 'asked-question', id: 'q' } as const
const onError = (error: Error) => {
  throw error
}

function write(action: string, entry: Partial<LogEntry> = {}, locale: 'sv' | 'en' = 'sv'): string {
  const { details = {}, user = null } = entry
  const messages = locale === 'sv' ? sv : en
  const t = createTranslator({ locale, messages, onError }) as unknown as SentenceContext['t']
  const context = { t, format: createFormatter({ locale }), nameUser: () => 'Maja', nameSchool: () => 'Norra' }
  return writeActivitySentence({ action, details, user, lead }, context)
}

test.each(ACTIVITY_ACTIONS)('%s is a sentence in both languages, also without details', (action) => {
  for (const locale of ['sv', 'en'] as const) {
    const text = write(action, {}, locale)
    expect(text).toMatch(/^\p{Lu}[^{}]+$/u)
    expect(text).not.toMatch(/activity\.|undefined|: $/)
  }
})

const assigned = { from: 'new', to: 'in-progress', assignee: 'u', assigneeBefore: null }
const decision = { ...assigned, snoozeUntil: '2026-12-01', snoozeBefore: null }
const access = { user: 'u', role: 'admin', schools: 'all' }
const replyTo = { setting: 'work.replyTo', schools: ['n'], from: null, to: 'a@x.se' }
const xlsx = { count: 1200, list: 'asked-questions', format: 'xlsx', columns: ['createdAt', 'email'] }
const noRoles = { setting: 'sign-in-rules', secondFactorFor: [] }
const goals = { setting: 'work.goals', 'asked-question': 2, 'declaration-of-interest': null }
test.each<[text: string, action: string, details: LogEntry['details']]>([
  ['Skickade svar med e-post på frågan', 'attempt-logged', { channel: 'email', outcome: 'sent' }],
  ['Talade med personen om frågan', 'attempt-logged', { channel: 'phone', outcome: 'talked' }],
  ['Ändrade frågan: från Ny till Påbörjad, Maja är ansvarig och påminnelse 2026-12-01', 'triage-changed', decision],
  ['Exporterade 1 200 frågor till Excel: Inkom och E-post', 'export-started', xlsx],
  ['Ändrade Maja: rollen är administratör och ser alla skolor', 'user-changed', access],
  ['Ändrade Maja: kan inte logga in', 'user-changed', { user: 'u', disabled: true }],
  ['Ändrade svarsadressen för Norra: från ingen till a@x.se', 'settings-changed', replyTo],
  ['Ändrade svarsmålen: 2 arbetsdagar för frågor, inget för intresseanmälningar', 'settings-changed', goals],
  ['Ändrade vilka som måste ha ett andra steg: ingen', 'settings-changed', noRoles],
  ['Kunde inte logga in med enkel inloggning: är avstängd', 'sign-in-failed', { with: 'oidc', reason: 'disabled' }],
  ['of-another-release', 'of-another-release', {}],
])('%s', (text, action, details) => {
  expect(write(action, { details }).replaceAll('\u{a0}', ' ')).toBe(text)
})

test('a user’s own sign-ins are ended in other words than a colleague’s', () => {
  const ended = (id: string) => write('sessions-ended', { user: { id, name: 'U' }, details: { user: 'u', count: 2 } })
  expect([ended('u'), ended('a')]).toEqual(['Avslutade 2 egna inloggningar', 'Loggade ut Maja överallt'])
})
