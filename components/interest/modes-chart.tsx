import { MessageCircleQuestionMark } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { sizeOf } from '@/lib/interest/axis'
import type { InterestPage } from '@/lib/interest/interest-page'
import { ChartCard, type ChartSource, NothingToDraw } from './chart-card'
import { ChartReader, HALF_SHEET, Drawing } from './plot-frame'
import { useCountFormat, useShare } from './figure-words'

export function ModesChart({ page, source }: { page: InterestPage; source: ChartSource }) {
  const t = useTranslations('interest.modes')
  const percent = useShare()
  const { figure } = useCountFormat()
  const modes = useNamedModes(page)
  const figures = {
    columns: [t('mode'), t('count'), t('share')],
    rows: modes.map(({ name, questions, share }) => [name, questions, percent(share)]),
  }
  return (
    <ChartCard
      title={t('title')}
      note={t('note')}
      file={{ ...source, name: t('fileName') }}
      figures={modes.length === 0 ? null : figures}
    >
      {modes.length === 0 ? (
        <NothingToDraw icon={<MessageCircleQuestionMark aria-hidden />}>{t('empty')}</NothingToDraw>
      ) : (
        <Bar modes={modes} />
      )}
      <table className="tabular mt-1 w-full text-sm">
        <caption className="sr-only">{t('title')}</caption>
        <tbody>
          {modes.map(({ mode, name, questions, share }, index) => (
            <tr key={mode}>
              <th scope="row" className="flex items-center gap-2 py-0.5 text-left font-normal">
                <ModeSwatch index={index} />
                {name}
              </th>
              <td className="text-right font-semibold">{percent(share)}</td>
              <td className="w-20 text-right text-mute">{figure(questions)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ChartCard>
  )
}

function Bar({ modes }: { modes: readonly NamedMode[] }) {
  const t = useTranslations('interest.modes')
  const percent = useShare()
  const { say } = useCountFormat()
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, modes.length - 1)
  const { name = '', questions = 0, share = null } = modes[at] ?? {}
  return (
    <ChartReader
      onPaper={HALF_SHEET}
      title={t('title')}
      summary={t('summary')}
      count={modes.length}
      at={at}
      onMove={setChosen}
      valueText={t('valueText', { mode: name, count: say(questions), share: percent(share) })}
      pointUnder={(x) => modes.findLastIndex(({ from }) => x >= from)}
    >
      {({ width }) => <ModesPlot modes={modes} width={width} at={at} />}
    </ChartReader>
  )
}

type NamedMode = InterestPage['modes'][number] & { name: string; from: number; part: number }

function useNamedModes({ modes }: InterestPage): NamedMode[] {
  const t = useTranslations('interest.modes')
  const sorted = modes.toSorted((a, b) => sizeOf(b.questions) - sizeOf(a.questions))
  const sumOf = (some: typeof sorted) => some.reduce((sum, { questions }) => sum + sizeOf(questions), 0)
  const whole = sumOf(sorted)
  return sorted.map((one, index) => ({
    ...one,
    name: one.mode === 'email' || one.mode === 'phone' ? t(one.mode) : t('other', { mode: one.mode }),
    from: sumOf(sorted.slice(0, index)) / whole,
    part: sizeOf(one.questions) / whole,
  }))
}

const HEIGHT = 44
const GAP = 2
const CHARACTER = 7

function ModesPlot({ modes, width, at }: { modes: readonly NamedMode[]; width: number; at: number }) {
  const id = useId()
  return (
    <Drawing width={width} height={HEIGHT}>
      <Patterns id={id} />
      {modes.map(({ mode, name, from, part }, index) => {
        const x = from * width
        const room = Math.max(1, part * width - GAP)
        return (
          <g key={mode}>
            <rect
              x={x + 0.5}
              y="0.5"
              width={room}
              height="22"
              rx="3"
              fill={fillOf(id, index)}
              className="stroke-accent"
            />
            {index === at && <rect x={x} y="26" width={room} height="2" className="fill-ink print:hidden" />}
            {room > name.length * CHARACTER && (
              <text x={x + 1} y="41" className="fill-mute">
                {name}
              </text>
            )}
          </g>
        )
      })}
    </Drawing>
  )
}

function ModeSwatch({ index }: { index: number }) {
  const id = useId()
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 shrink-0">
      <Patterns id={id} />
      <rect x="0.5" y="0.5" width="11" height="11" rx="2" fill={fillOf(id, index)} className="stroke-accent" />
    </svg>
  )
}

function Patterns({ id }: { id: string }) {
  const tile = (size: number) => ({ width: size, height: size, patternUnits: 'userSpaceOnUse' })
  return (
    <>
      <pattern id={`${id}-0`} {...tile(4)}>
        <rect width="4" height="4" className="fill-accent" />
      </pattern>
      <pattern id={`${id}-1`} {...tile(5)} patternTransform="rotate(45)">
        <rect width="5" height="5" className="fill-panel" />
        <rect width="1.6" height="5" className="fill-accent" />
      </pattern>
      <pattern id={`${id}-2`} {...tile(5)}>
        <rect width="5" height="5" className="fill-panel" />
        <circle cx="2.5" cy="2.5" r="1" className="fill-accent" />
      </pattern>
    </>
  )
}

function fillOf(id: string, index: number): string {
  return `url(#${id}-${Math.min(index, 2)})`
}
