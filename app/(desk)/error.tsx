'use client'

import { useEffect } from 'react'
import { forgetReply } from '@/components/contact/reply-wish'
import { ErrorScreen } from '@/components/shell/error-screen'

export default function DeskError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  // The draft on the failed screen is dropped.
  useEffect(() => forgetReply(), [])
  return <ErrorScreen error={error} retry={reset} />
}
