'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { Button } from '@/components/ui/button'

const AGAIN_MS = 5_000

/** The page is asked for again by itself, and by this button. */
export function AskAgain({ children }: { children: ReactNode }) {
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [router])
  return <Button onClick={() => router.refresh()}>{children}</Button>
}
