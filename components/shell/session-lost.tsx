'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import { SESSION_LOST } from '@/lib/api/request'

const SessionLostDialog = lazy(async () => ({ default: (await import('./session-lost-dialog')).SessionLostDialog }))

/** Comes up when any request was answered with 401. */
export function SessionLost() {
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    const lost = () => setLost(true)
    window.addEventListener(SESSION_LOST, lost)
    return () => window.removeEventListener(SESSION_LOST, lost)
  }, [])
  if (!isLost) return null
  return (
    <Suspense>
      <SessionLostDialog onClose={() => setLost(false)} />
    </Suspense>
  )
}
