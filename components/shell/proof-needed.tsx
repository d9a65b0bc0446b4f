import { type ReactNode, useEffect, useState } from 'react'
import { whenProofIsNeeded } from '@/lib/api/send'

/** The place where a request that waits for proof asks who it is; how it asks comes when it is wanted. */
export function ProofNeeded() {
  const [dialog, show] = useState<ReactNode>(null)
  useEffect(() => {
    whenProofIsNeeded(() =>
      import('@/components/account/ask-proof').then(
        (late) => late.askProof(show),
        () => false,
      ),
    )
  }, [])
  return dialog
}
