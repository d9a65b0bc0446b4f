'use client'

import { useEffect } from 'react'

export const PROOF_CHANNEL = 'intag:proof'

/** Notifies the tab that waits, and closes this one where the browser allows it. */
export function ProofDone() {
  useEffect(() => {
    const channel = new BroadcastChannel(PROOF_CHANNEL)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin, and takes none
    channel.postMessage('proved')
    channel.close()
    window.close()
  }, [])
  return null
}
