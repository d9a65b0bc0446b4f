'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { Button } from '@/components/ui/button'

const REFRESH_EVERY_MS = 5_000

/** Refreshes a page that the server cannot render just now: every five seconds, or at once on a press. */
export function AutoRefreshButton({ children }: { children: ReactNode }) {
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), REFRESH_EVERY_MS)
    return () => clearInterval(timer)
  }, [router])
  return <Button text={children} onClick={() => router.refresh()} />
}
