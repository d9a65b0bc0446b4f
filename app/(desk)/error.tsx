'use client'

import { useEffect } from 'react'
import { cancelReply } from '@/components/contact/reply-request'
import { ErrorScreen } from '@/components/shell/error-screen'

export default function DeskError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  // The draft on the failed screen is dropped.
  useEffect(() => cancelReply(), [])
  return <ErrorScreen error={error} retry={reset} />
}
