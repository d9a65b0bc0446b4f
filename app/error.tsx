'use client'

import { ErrorScreen } from '@/components/shell/error-screen'

export default function RootError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <ErrorScreen error={error} retry={reset} />
}
