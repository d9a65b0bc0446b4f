import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { useStatus } from '@/components/app/feed-status'
import type { FeedList } from '@/lib/contract/lists'

/** Draws again what the server drew while these lists were `missing`, when one of them has come. */
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
