'use client'

import { NextIntlClientProvider } from 'next-intl'
import { ErrorScreen } from '@/components/shell/error-screen'
import errorsEn from '@/lib/i18n/messages/en/errors.json'
import errorsSv from '@/lib/i18n/messages/sv/errors.json'
import './globals.css'

/** Replaces the root layout, so it brings its own messages, in the language of the page that failed. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  const locale = typeof document !== 'undefined' && document.documentElement.lang === 'en' ? 'en' : 'sv'
  const errors = locale === 'en' ? (errorsEn as typeof errorsSv) : errorsSv
  return (
    <html translate="no" lang={locale}>
      <head>
        <title>{errors.title}</title>
      </head>
      <body className="grid min-h-dvh">
        <NextIntlClientProvider locale={locale} messages={{ errors }}>
          <ErrorScreen error={error} />
        </NextIntlClientProvider>
      </body>
    </html>
  )
}
