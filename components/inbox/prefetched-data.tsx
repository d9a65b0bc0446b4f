'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { type PrefetchedAnswer, seedQueryCache } from '@/lib/api/prefetched-answer'

/** Seeds the query cache with the server's answers. They are one JSON text; React would serialize them bit by bit. */
export function PrefetchedData({ json, children }: { json: string; children: ReactNode }) {
  const client = useQueryClient()
  const answers = useMemo(() => {
    const parsed: readonly PrefetchedAnswer[] = JSON.parse(json)
    for (const answer of parsed) if (client.getQueryData(answer.key) === undefined) seedQueryCache(client, answer)
    return parsed
  }, [client, json])
  // Data that was cached before may be on screen, so it is replaced only after this rendering.
  useEffect(() => answers.forEach((answer) => seedQueryCache(client, answer)), [client, answers])
  return children
}
