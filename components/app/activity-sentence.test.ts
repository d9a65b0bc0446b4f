import { createFormatter, createTranslator } from 'next-intl'
import { expect, test } from 'vitest'
import { ACTIVITY_ACTIONS } from '@/lib/contract/activity-actions'
import * as en from '@/lib/i18n/messages/en'
import * as sv from '@/lib/i18n/messages/sv'
import { activitySentence } from './activity-sentence'

type Logged = Parameters<typeof activitySentence>[0]

function said(entry: Partial<Logged>, locale: 'sv' | 'en' = 'sv', leadCount = 1): string {
  const onError = (error: Error) => {
    throw error
  }
  const t = createTranslator({ locale, messages: locale === 'sv' ? sv : en, onError })
  const words = { format: createFormatter({ locale }), userName: () => 'Maja', schoolName: () => 'Norra' }
  const whole = { action: 'opened', details: {}, lead: null, ...entry }
  return activitySentence(whole, leadCount, {
    ...words,
    t: t as unknown as Parameters<typeof activitySentence>[2]['t'],
  })
}

const lead = { kind: 'asked-question', id: 'q' } as const

test.each(ACTIVITY_ACTIONS)('%s is a sentence in both languages, also without details', (action) => {
  for (const locale of ['sv', 'en'] as const) {
    const text = said({ action, lead }, locale)
    expect(text).toMatch(/^\p{Lu}[^{}]+$/u)
    expect(text).not.toMatch(/activity\.|undefined|: $/)
  }
})

test.each<[string, Partial<Logged>, number?]>([
  [
    'Skickade svar med e-post på frågan',
    { action: 'attempt-logged', lead, details: { attempt: 88, channel: 'email', outcome: 'sent' } },
  ],
  [
    'Talade med personen om frågan',
    { action: 'attempt-logged', lead, details: { channel: 'phone', outcome: 'talked' } },
  ],
  [
    'Ändrade frågan: från Ny till Påbörjad, Maja är ansvarig och påminnelse 2026-12-01',
    {
      action: 'triage-changed',
      lead,
      details: {
        from: 'new',
        to: 'in-progress',
        assignee: 'u',
        assigneeBefore: null,
        snoozeUntil: '2026-12-01',
        snoozeBefore: null,
      },
    },
  ],
  ['Öppnade 12 ärenden', { lead }, 12],
  [
    'Exporterade 1 200 frågor till Excel: Inkom och E-post',
    {
      action: 'export-started',
      details: { export: 'x', count: 1200, list: 'asked-questions', format: 'xlsx', columns: ['createdAt', 'email'] },
    },
  ],
  [
    'Ändrade Maja: rollen är administratör och ser alla skolor',
    { action: 'user-changed', details: { user: 'u', role: 'admin', schools: 'all' } },
  ],
  ['Ändrade Maja: kan inte logga in', { action: 'user-changed', details: { user: 'u', disabled: true } }],
  [
    'Avslutade 2 egna inloggningar',
    { action: 'sessions-ended', user: { id: 'u', name: 'U' }, details: { user: 'u', count: 2 } },
  ],
  [
    'Loggade ut Maja överallt',
    { action: 'sessions-ended', user: { id: 'a', name: 'A' }, details: { user: 'u', count: 2 } },
  ],
  [
    'Ändrade svarsadressen för Norra: från ingen till a@x.se',
    { action: 'settings-changed', details: { setting: 'work.replyTo', schools: ['n'], from: null, to: 'a@x.se' } },
  ],
  [
    'Ändrade svarsmålen: 2 arbetsdagar för frågor, inget för intresseanmälningar',
    {
      action: 'settings-changed',
      details: { setting: 'work.goals', 'asked-question': 2, 'declaration-of-interest': null },
    },
  ],
  [
    'Ändrade vilka som måste ha ett andra steg: ingen',
    { action: 'settings-changed', details: { setting: 'sign-in-rules', secondFactorFor: [] } },
  ],
  [
    'Kunde inte logga in med enkel inloggning: är avstängd',
    { action: 'sign-in-failed', details: { with: 'oidc', reason: 'disabled' } },
  ],
  ['of-another-release', { action: 'of-another-release' }],
])('%s', (text, entry, leadCount) => {
  expect(said(entry, 'sv', leadCount).replaceAll('\u{a0}', ' ')).toBe(text)
})
