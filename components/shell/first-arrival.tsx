'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { useStatus } from '@/components/desk/feed-status'
import { FEED_LISTS } from '@/lib/contract/lists'

/** When a list comes for the first time, what the server drew without it is drawn again, and what could not be read is asked for. */
export function FirstArrival({ hasSchools }: { hasSchools: boolean }) {
  const client = useQueryClient()
  const router = useRouter()
  const { data: status } = useStatus()
  const there = status && FEED_LISTS.filter((list) => status.lists[list] !== null).length
  const seen = useRef(hasSchools ? FEED_LISTS.length : 0)
  useEffect(() => {
    if (there === undefined || there <= seen.current) return
    seen.current = there
    router.refresh()
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null })
  }, [there, router, client])
  return null
}
