'use client'

import { Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type CommandHandlers, findCommand, useCommandKeys, useCommands } from '@/components/app/commands'
import { lazyDialog, optionalPart } from '@/components/app/lazy-part'
import { useLiveStream } from '@/components/app/live'
import { useIsNavigating, useNavigate } from '@/components/app/navigate'
import { cancelOpening, useIsOpening } from '@/components/app/opening'
import { usePreloadWhenIdle } from '@/components/app/preload'
import { useScreenHref } from '@/components/app/schools'
import { type Screen, SCREEN_COMMANDS } from '@/components/app/screens'
import { useUnsavedGuard } from '@/components/app/use-unsaved-guard'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Skeleton } from '@/components/ui/loading'
import type { FeedList } from '@/lib/contract/lists'

const Palette = lazyDialog(async () => (await import('./palette')).Palette, 'palette')
const HelpDialog = lazyDialog(async () => (await import('./help-dialog')).HelpDialog, 'palette')
const DeskOverlays = optionalPart(async () => (await import('./desk-overlays')).DeskOverlays)

const PRELOADS = [Palette.preload, HelpDialog.preload]

type DeskBackgroundProps = { screens: readonly Screen[]; missingLists: readonly FeedList[] }

/** Listens for keys and the live stream, and shows a notice while a reply, note or dialog is opening. */
export function DeskBackground({ screens, missingLists }: DeskBackgroundProps) {
  const t = useTranslations()
  const navigate = useNavigate()
  const toHref = useScreenHref()
  const isOpening = useIsOpening()
  const [openDialog, setOpenDialog] = useState<'palette' | 'help' | null>(null)
  const commands: CommandHandlers = { palette: () => setOpenDialog('palette'), help: () => setOpenDialog('help') }
  for (const screen of screens) {
    const command = SCREEN_COMMANDS[screen.name]
    if (command) commands[command] = () => navigate(toHref(screen))
  }
  useCommands(commands)
  useCommandKeys()
  useLiveStream()
  useUnsavedGuard()
  usePreloadWhenIdle(PRELOADS)
  // A dialog closes only itself: the palette closes after its command, which may open the help.
  const onClose = () => setOpenDialog((current) => (current === openDialog ? null : current))
  return (
    <>
      <div role="status" className="pointer-events-none fixed inset-x-4 top-16 z-50 flex justify-center desk:top-4">
        {isOpening && (
          <p className="opening-notice">
            {t('shell.opening')}
            <Button text={t('common.cancel')} size="sm" onClick={cancelOpening} />
          </p>
        )}
      </div>
      <DeskOverlays missingLists={missingLists} />
      {openDialog === 'palette' && <Palette screens={screens} onClose={onClose} />}
      {openDialog === 'help' && <HelpDialog onClose={onClose} />}
    </>
  )
}

/** Shows the screen, faded while the next loads. A new screen without the focus gets it, so that Tab starts there. */
export function MainContent({ children }: { children: ReactNode }) {
  const t = useTranslations('common')
  const main = useRef<HTMLElement>(null)
  const pathname = usePathname()
  const lastPathname = useRef(pathname)
  const isNavigating = useIsNavigating()
  useEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <>
      <output className="sr-only">{isNavigating && t('loading')}</output>
      <main ref={main} id="content" tabIndex={-1} aria-busy={isNavigating} className="main-content">
        {children}
      </main>
    </>
  )
}

/** The status text is loaded after the page; a placeholder keeps its room. */
export const StatusText = optionalPart(
  async () => (await import('./status-text')).StatusText,
  <Skeleton className="my-0.75 ml-3.25 h-3 w-20" />,
)

export function PaletteButton() {
  const t = useTranslations('shell')
  return (
    <IconButton icon={Search} label={t('commands')} shortcut="Control+K" onClick={() => findCommand('palette')?.()} />
  )
}
