'use client'

import { lazy, Suspense, useSyncExternalStore } from 'react'
import { noticesAreOn, onNoticesChoice } from '@/components/browser/notices-choice'

const NewLeadNotices = lazy(async () => ({ default: (await import('./new-lead-notices')).NewLeadNotices }))

/** Tells of new leads while the tab is hidden, where the person has chosen so. */
export function Notices() {
  const isOn = useSyncExternalStore(onNoticesChoice, noticesAreOn, () => false)
  if (!isOn) return null
  return (
    <Suspense>
      <NewLeadNotices />
    </Suspense>
  )
}
