'use client'

import { NextIntlClientProvider, useLocale, useMessages } from 'next-intl'
import { type ReactNode, useMemo } from 'react'
import type { Messages } from '@/lib/i18n/load-messages'

/**
 * Adds messages to those that are there already. They come as JSON in one text, which React hands on as it is: taking a
 * thousand strings apart and together again would cost the server a millisecond for each page, and a phone more.
 */
export function Words({ json, children }: { json: string; children: ReactNode }) {
  const locale = useLocale()
  const around = useMessages()
  const messages = useMemo(() => ({ ...around, ...readWords(json) }), [around, json])
  return (
    <NextIntlClientProvider locale={locale} messages={messages}>
      {children}
    </NextIntlClientProvider>
  )
}

function readWords(json: string): Partial<Messages> {
  return JSON.parse(json)
}
