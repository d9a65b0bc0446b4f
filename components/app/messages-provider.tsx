'use client'

import { NextIntlClientProvider, useLocale, useMessages } from 'next-intl'
import { type ReactNode, useMemo } from 'react'
import type { Messages } from '@/lib/i18n/load-messages'

const messagesByJson = new Map<string, Partial<Messages>>()

/** Takes the messages as one JSON text, because React would serialize the strings one by one, at 1 ms a page. */
export function MessagesProvider({ json, children }: { json: string; children: ReactNode }) {
  const messages: Partial<Messages> = messagesByJson.get(json) ?? JSON.parse(json)
  messagesByJson.set(json, messages)
  return <MoreMessages messages={messages}>{children}</MoreMessages>
}

export function MoreMessages({ messages: added, children }: { messages: Partial<Messages>; children: ReactNode }) {
  const locale = useLocale()
  const inherited = useMessages()
  const messages = useMemo(() => ({ ...inherited, ...added }), [inherited, added])
  return (
    <NextIntlClientProvider locale={locale} messages={messages}>
      {children}
    </NextIntlClientProvider>
  )
}
