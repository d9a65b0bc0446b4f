'use client'

import { CircleQuestionMark, Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useIdleLoading } from '@/components/browser/idle-loading'
import { useCommands, useFindCommand } from '@/components/desk/commands'
import { serverCheckCode, useNavigate } from '@/components/desk/navigate'
import { lazyDialog } from '@/components/desk/lazy-part'
import { useScreenHref } from '@/components/desk/schools'
import type { Screen } from '@/components/desk/screens'
import { useSendUnsent } from '@/components/triage/use-triage'
import { IconButton } from '@/components/ui/icon-button'

const Palette = lazyDialog(async () => (await import('@/components/palette/palette')).Palette, 'palette')
const HelpDialog = lazyDialog(async () => (await import('@/components/palette/help-dialog')).HelpDialog, 'palette')

const AHEAD = {
  soon: [serverCheckCode.want],
  later: [
    Palette.load,
    HelpDialog.load,
    async () => (await import('@/components/desk/lazy-area')).loadMessages(['contact', 'views', 'export']),
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
  if (open === 'palette') return <Palette screens={screens} onClose={onClose} />
  return open === 'help' && <HelpDialog onClose={onClose} />
}

export function CommandButtons() {
  const t = useTranslations('shell')
  const find = useFindCommand()
  return (
    <span className="inline-flex">
      <IconButton icon={Search} label={t('commands')} shortcut="Control+K" onClick={() => find('palette')?.()} />
      <IconButton icon={CircleQuestionMark} label={t('help')} shortcut="?" onClick={() => find('help')?.()} />
    </span>
  )
}
