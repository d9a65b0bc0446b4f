'use client'

import { useEffect } from 'react'

export const PROOF_CHANNEL = 'intag:proof'

/** Browsers may refuse to close the tab. */
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
