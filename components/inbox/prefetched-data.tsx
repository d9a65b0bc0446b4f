'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { type PrefetchedAnswer, seedQueryCache } from '@/lib/api/prefetched-answer'

/** Seeds the query cache with the server's answers. They come as one JSON text, because React is slow with objects. */
export function PrefetchedData({ json, children }: { json: string; children: ReactNode }) {
  const client = useQueryClient()
  const answers = useMemo(() => {
    const parsed: readonly PrefetchedAnswer[] = JSON.parse(json)
    for (const answer of parsed) if (client.getQueryData(answer.key) === undefined) seedQueryCache(client, answer)
    return parsed
  }, [client, json])
  // What was cached before may be on screen, so newer answers replace it only after this rendering.
  useEffect(() => answers.forEach((answer) => seedQueryCache(client, answer)), [client, answers])
  return children
}
