'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { Button } from '@/components/ui/button'

const AGAIN_MS = 5_000

export function AskAgain({ label }: { label: string }) {
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [router])
  return <Button onClick={() => router.refresh()}>{label}</Button>
}
