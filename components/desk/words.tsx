'use client'

import { NextIntlClientProvider, useLocale, useMessages } from 'next-intl'
import { type ReactNode, useMemo } from 'react'
import type { Messages } from '@/lib/i18n/load-messages'

/** Messages come as JSON in one text, which React passes on as it is: single strings would cost 1 ms a page. */
export function Words({ json, children }: { json: string; children: ReactNode }) {
  return <MoreWords words={parsed(json)}>{children}</MoreWords>
}

/** Of the few texts that there are: the server renders each with every page. */
const known = new Map<string, Partial<Messages>>()

function parsed(json: string): Partial<Messages> {
  const words: Partial<Messages> = known.get(json) ?? JSON.parse(json)
  known.set(json, words)
  return words
}

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
