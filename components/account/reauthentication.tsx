'use client'

import { useEffect, useState } from 'react'
import { lazyDialog } from '@/components/app/lazy-part'
import { setReauthenticateHandler } from '@/lib/api/send'
import { PROOF_CHANNEL, type ProofMethod } from '@/lib/contract/headers'

const ProofDialog = lazyDialog(async () => (await import('./proof-dialog')).ProofDialog, 'proof')

type PendingProof = { method: ProofMethod; settle: (isProved: boolean) => void }

/** Asks for a fresh proof of identity, once for all requests that wait for one; they then continue or fail. */
export function Reauthentication() {
  const [pendingProof, setPendingProof] = useState<PendingProof | null>(null)
  useEffect(() => {
    let pendingAnswer: Promise<boolean> | null = null
    setReauthenticateHandler((method) => {
      pendingAnswer ??= new Promise<boolean>((resolve) => setPendingProof({ method, settle: resolve })).finally(() => {
        pendingAnswer = null
        setPendingProof(null)
      })
      return pendingAnswer
    })
  }, [])
  return (
    pendingProof && (
      <ProofDialog
        method={pendingProof.method}
        onProved={() => pendingProof.settle(true)}
        onClose={() => pendingProof.settle(false)}
      />
    )
  )
}

/** Reports to the tab that asked for proof, then closes its own tab, which the browser may refuse. */
export function ProofNotifier() {
  useEffect(() => {
    const channel = new BroadcastChannel(PROOF_CHANNEL)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin, and takes none
    channel.postMessage('proved')
    channel.close()
    window.close()
  }, [])
  return null
}
