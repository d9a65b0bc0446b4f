'use client'

import { useRouter } from 'next/navigation'
import { lazy, Suspense, useState } from 'react'
import { useCommands } from './commands'
import { LazyArea } from './lazy-area'
import type { Screen } from './screens'
import { useScreenHref } from './use-screen-href'

const Palette = lazy(async () => ({ default: (await import('@/components/palette/palette')).Palette }))
const HelpDialog = lazy(async () => ({ default: (await import('@/components/palette/help-dialog')).HelpDialog }))

/** What can be done on every screen: go to another one, the palette, the help. */
export function DeskCommands({ screens }: { screens: readonly Screen[] }) {
  const router = useRouter()
  const hrefOf = useScreenHref()
  const [open, setOpen] = useState<'palette' | 'help' | null>(null)
  const go = (name: Screen['name']) => {
    const screen = screens.find((other) => other.name === name)
    return screen && (() => router.push(hrefOf(screen)))
  }
  useCommands({
    goQuestions: go('questions'),
    goDeclarations: go('declarations'),
    goInterest: go('interest'),
    palette: () => setOpen('palette'),
    help: () => setOpen('help'),
  })
  if (open === null) return null
  return (
    <Suspense>
      <LazyArea area="palette">
        {open === 'palette' ? (
          <Palette screens={screens} onClose={() => setOpen((now) => (now === 'palette' ? null : now))} />
        ) : (
          <HelpDialog onClose={() => setOpen(null)} />
        )}
      </LazyArea>
    </Suspense>
  )
}
