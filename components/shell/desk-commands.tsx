'use client'

import { Command } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { lazy, Suspense, useState } from 'react'
import { useCommands, useFindCommand } from '@/components/desk/commands'
import { LazyArea } from '@/components/desk/lazy-area'
import { useScreenHref } from '@/components/desk/schools'
import type { Screen } from '@/components/desk/screens'
import { IconButton } from '@/components/ui/icon-button'

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

/** The palette for those who do not know its key yet. */
export function PaletteButton() {
  const t = useTranslations('shell')
  const find = useFindCommand()
  return (
    <IconButton label={t('commands')} shortcut="Control+K" onClick={() => find('palette')?.()}>
      <Command aria-hidden />
    </IconButton>
  )
}
