'use client'

import { NextIntlClientProvider, useLocale, useMessages } from 'next-intl'
import { type ReactNode, useMemo } from 'react'
import type { Messages } from '@/lib/i18n/load-messages'

/** Takes the messages as one JSON text: React would serialise single strings one by one, which costs 1 ms a page. */
export function MessagesProvider({ json, children }: { json: string; children: ReactNode }) {
  const messages: Partial<Messages> = parsed.get(json) ?? JSON.parse(json)
  parsed.set(json, messages)
  return <MoreMessages messages={messages}>{children}</MoreMessages>
}

const parsed = new Map<string, Partial<Messages>>()

export function MoreMessages({ messages: more, children }: { messages: Partial<Messages>; children: ReactNode }) {
  const locale = useLocale()
  const above = useMessages()
  const messages = useMemo(() => ({ ...above, ...more }), [above, more])
  return (
    <NextIntlClientProvider locale={locale} messages={messages}>
      {children}
    </NextIntlClientProvider>
  )
}
