'use client'

import { NextIntlClientProvider, useLocale, useMessages } from 'next-intl'
import { type ReactNode, useMemo } from 'react'
import type { Messages } from '@/lib/i18n/load-messages'

/**
 * Adds messages that come as JSON in one text, which React hands on as it is: taking a thousand strings apart and together
 * again would cost the server a millisecond for each page, and a phone more.
 */
export function Words({ json, children }: { json: string; children: ReactNode }) {
  const words: Partial<Messages> = useMemo(() => JSON.parse(json), [json])
  return <MoreWords words={words}>{children}</MoreWords>
}

/** Adds messages to those that are there already. */
export function MoreWords({ words, children }: { words: Partial<Messages>; children: ReactNode }) {
  const locale = useLocale()
  const around = useMessages()
  const messages = useMemo(() => ({ ...around, ...words }), [around, words])
  return (
    <NextIntlClientProvider locale={locale} messages={messages}>
      {children}
    </NextIntlClientProvider>
  )
}
