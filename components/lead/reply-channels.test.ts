import { expect, it } from 'vitest'
import type { LeadItem } from '@/lib/api/leads'
import { findReplyChannels } from './reply-channels'

const question = (mode: string, email: string | null, phone: string | null) =>
  ({ question: 'Hej?', sender: { mode, email, phone } }) as LeadItem

it.each([
  ['phone', ' <elsa@skola.example> ', '070-123 45 67', 'elsa@skola.example', '070-123 45 67', 'call'],
  ['email', 'elsa@skola.example', '070-123 45 67', 'elsa@skola.example', '070-123 45 67', 'mail'],
  ['phone', 'elsa@skola.example', null, 'elsa@skola.example', null, 'mail'],
  ['email', null, '070-123 45 67', null, '070-123 45 67', 'call'],
  ['phone', 'elsa@skola.example', '20100520-1236', 'elsa@skola.example', null, 'mail'],
])('asked for %s, with %j and %j', (mode, writtenEmail, writtenPhone, email, phone, preferred) => {
  expect(findReplyChannels(question(mode, writtenEmail, writtenPhone))).toEqual({ email, phone, preferred })
})
