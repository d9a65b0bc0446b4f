'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { statusQuery } from '@/components/shell/status-query'

/** Counting and drawing a hundred schools anew is work, and a trend does not turn within a minute. */
const EVERY_MS = 60_000

/**
 * Has the page drawn anew once a minute while it is looked at: who may only count is not told of what is handled. The server
 * is asked first, because drawing anew without one would leave the browser's own page of errors.
 */
export function KeepFresh() {
  const router = useRouter()
  const { refetch } = useQuery(statusQuery)
  useEffect(() => {
    let drawnAt = Date.now()
    const draw = async () => {
      if (document.hidden) return
      drawnAt = Date.now()
      const { isSuccess } = await refetch()
      if (isSuccess) router.refresh()
    }
    const look = () => void (Date.now() - drawnAt >= EVERY_MS && draw())
    const timer = setInterval(() => void draw(), EVERY_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [refetch, router])
  return null
}
