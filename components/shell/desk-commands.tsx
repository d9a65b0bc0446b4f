'use client'

import { Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useIdleLoading } from '@/components/app/idle-loading'
import { useCommands, useFindCommand } from '@/components/app/commands'
import { loadServerCheck, useNavigate } from '@/components/app/navigate'
import { lazyDialog, optionalPart } from '@/components/app/lazy-part'
import { useScreenHref } from '@/components/app/schools'
import type { Screen } from '@/components/app/screens'
import { useSendUnsent } from '@/components/app/use-triage'
import { IconButton } from '@/components/ui/icon-button'

const Palette = lazyDialog(async () => (await import('./palette')).Palette, 'palette')
const HelpDialog = lazyDialog(async () => (await import('./help-dialog')).HelpDialog, 'palette')

const LateBackground = optionalPart(async () => (await import('./late-background')).LateBackground)

const AHEAD = {
  soon: [loadServerCheck],
  later: [
    Palette.load,
    HelpDialog.load,
    async () => (await import('@/components/app/lazy-area')).loadMessages(['contact', 'views', 'export']),
  ],
}

export function DeskCommands({ screens }: { screens: readonly Screen[] }) {
  const navigate = useNavigate()
  const hrefOf = useScreenHref()
  useSendUnsent()
  const [open, setOpen] = useState<'palette' | 'help' | null>(null)
  const goTo = (name: Screen['name']) => {
    const screen = screens.find((other) => other.name === name)
    return screen && (() => navigate(hrefOf(screen)))
  }
  useCommands({
    goToday: goTo('today'),
    goQuestions: goTo('questions'),
    goDeclarations: goTo('declarations'),
    goInterest: goTo('interest'),
    palette: () => setOpen('palette'),
    help: () => setOpen('help'),
  })
  useIdleLoading(AHEAD)
  const onClose = () => setOpen((now) => (now === open ? null : now))
  return (
    <>
      <LateBackground />
      {open === 'palette' && <Palette screens={screens} onClose={onClose} />}
      {open === 'help' && <HelpDialog onClose={onClose} />}
    </>
  )
}

export function PaletteButton() {
  const t = useTranslations('shell')
  const find = useFindCommand()
  return <IconButton icon={Search} label={t('commands')} shortcut="Control+K" onClick={() => find('palette')?.()} />
}
