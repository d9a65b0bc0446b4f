'use client'

import { lazy, Suspense } from 'react'

const MarkedText = lazy(async () => ({ default: (await import('./marked-text')).MarkedText }))

/** A text with what the search met marked, once there is a search. */
export function Highlight({ text, query, phone = false }: { text: string; query: string; phone?: boolean }) {
  if (query === '') return text
  return (
    <Suspense fallback={text}>
      <MarkedText text={text} query={query} phone={phone} />
    </Suspense>
  )
}
