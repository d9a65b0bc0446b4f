'use client'

import { ErrorPanel } from '@/components/shell/error-panel'
import { errors as errorsEn } from '@/lib/i18n/messages/en/errors'
import { errors as errorsSv } from '@/lib/i18n/messages/sv/errors'
import './globals.css'

/** Stands in for the root layout itself, so it brings its own words and guesses the language. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const isEnglish = typeof navigator !== 'undefined' && !navigator.language.startsWith('sv')
  const { reference, ...words } = isEnglish ? errorsEn : errorsSv
  return (
    <html lang={isEnglish ? 'en' : 'sv'}>
      <head>
        <title>{words.title}</title>
      </head>
      <body className="grid min-h-dvh">
        <ErrorPanel
          words={{ ...words, reference: error.digest ? reference.replace('{digest}', error.digest) : null }}
          retry={reset}
        />
      </body>
    </html>
  )
}
