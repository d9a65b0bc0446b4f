'use client'

import type { ReactNode } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { useIsWide } from './use-is-wide'

type DialogFrameProps = {
  title: string
  onClose: () => void
  insistent?: boolean
  children: ReactNode
  /** Stays in view while the rest scrolls. */
  footer: ReactNode
}

/** A card on a desk, a sheet within reach of the thumb on a phone. */
export function DialogFrame({ title, onClose, insistent = false, children, footer }: DialogFrameProps) {
  const isWide = useIsWide()
  return (
    <Dialog open title={title} onClose={onClose} shape={isWide ? 'card' : 'sheet'} insistent={insistent}>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-5 pt-1 pb-5 scroll-thin">{children}</div>
      <div className="flex items-center justify-end gap-2 border-t border-line bg-side px-5 py-3">{footer}</div>
    </Dialog>
  )
}
