import { useTranslations } from 'next-intl'
import { chooseCharacters, useAreCharactersCommands } from '@/components/browser/browser-tab'
import { Dialog } from '@/components/ui/dialog'
import { Checkbox } from '@/components/ui/field'
import { Kbd, modifierKey } from '@/components/ui/kbd'
import { allCommands, COMMAND_GROUPS, type CommandId, shownKeys } from '@/lib/keyboard/commands'

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('palette')
  const areCharactersCommands = useAreCharactersCommands()
  const hasKey = (id: CommandId) => shownKeys(id, areCharactersCommands).length > 0
  return (
    <Dialog onClose={onClose} title={t('help')} shape="wide">
      {/* Chromium gives it the focus, so that the arrows scroll it; a line around it would be cut off. */}
      <div className="scroll-thin outline-none grid max-h-[75dvh] grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-5 overflow-y-auto px-5 pt-1 pb-5 desk:grid-cols-2">
        {COMMAND_GROUPS.filter((group) => allCommands().some((one) => one.group === group && hasKey(one.id))).map(
          (group) => (
            <section key={group} aria-labelledby={`help-${group}`}>
              <h3 id={`help-${group}`} className="pb-1.5 text-xs font-semibold text-faint">
                {t(`group.${group}`)}
              </h3>
              <dl className="flex flex-col">
                {allCommands()
                  .filter((command) => command.group === group && hasKey(command.id))
                  .map(({ id }) => (
                    <div key={id} className="flex min-h-7.5 flex-wrap items-center justify-end gap-x-4 gap-y-1 text-sm">
                      <dt className="min-w-[min(9rem,100%)] flex-1 wrap-anywhere">{t(`command.${id}`)}</dt>
                      <dd>
                        <CommandKeys id={id} />
                      </dd>
                    </div>
                  ))}
              </dl>
            </section>
          ),
        )}
        <div className="desk:col-span-2">
          <Checkbox
            label={t('characters.label')}
            hint={t('characters.hint')}
            checked={areCharactersCommands}
            onChange={chooseCharacters}
          />
        </div>
        <p className="text-xs text-pretty text-mute desk:col-span-2">
          {t('helpHint')}{' '}
          <a href="/help" className="text-accent underline underline-offset-2">
            {t('handbook')}
          </a>
        </p>
      </div>
    </Dialog>
  )
}

export function CommandKeys({ id }: { id: CommandId }) {
  const t = useTranslations('palette.key')
  const keys = shownKeys(id, useAreCharactersCommands())
  const nameOf = (key: string) => {
    if (key === 'Mod') return modifierKey()
    if (key === 'Shift') return t('shift')
    if (key === 'Escape') return t('escape')
    if (key === ' ') return t('space')
    return ARROWS[key] ?? key
  }
  return (
    <span className="inline-flex gap-1">
      {keys.map((key) => (
        <Kbd key={key}>{nameOf(key)}</Kbd>
      ))}
    </span>
  )
}

const ARROWS: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑' }
