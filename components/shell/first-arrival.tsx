'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { useStatus } from '@/components/desk/feed-status'
import type { FeedList } from '@/lib/contract/lists'

/**
 * What the server drew while these lists were `missing` is drawn again when one of them has come, and what could not be read is
 * asked for. The drawing that follows says anew which are missing.
 */
export function FirstArrival({ missing }: { missing: readonly FeedList[] }) {
  const client = useQueryClient()
  const router = useRouter()
  const { data: status } = useStatus()
  const come = missing.filter((list) => status && status.lists[list] !== null).join(' ')
  useEffect(() => {
    if (come === '') return
    router.refresh()
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null })
  }, [come, router, client])
  return null
}
