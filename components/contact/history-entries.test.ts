import { createTranslator } from 'next-intl'
import { expect, test } from 'vitest'
import * as messages from '@/lib/i18n/messages/en'
import { describeEvent } from './history-entries'

test.each([
  ['Sara assigned it to Former colleague', { id: 'sara', name: 'Sara' }, { id: 'gone', name: '' }],
  ['Former colleague assigned it to Sara', null, { id: 'sara', name: 'Sara' }],
  ['Former colleague took it', { id: 'gone', name: '' }, { id: 'gone', name: '' }],
])('%s, whose account is gone', (text, by, to) => {
  const t = createTranslator({ locale: 'en', messages, namespace: 'contact' })
  expect(describeEvent({ kind: 'assignee', to, by, at: '2026-11-23T09:00:00.000Z' }, t, 'en')[1]).toBe(text)
})
