import { useTranslations } from 'next-intl'
import { encode } from 'uqr'

/** `tel:` as a QR code. Black on white in the dark too, for many a camera reads nothing else. */
export function PhoneCode({ number, shown }: { number: string; shown: string }) {
  const t = useTranslations('contact.qr')
  const { data, size } = encode(`tel:${number}`, { ecc: 'M', border: 4 })
  return (
    <figure className="flex w-60 flex-col items-center gap-1 text-center">
      <svg
        role="img"
        aria-label={t('alt', { phone: shown })}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="size-60 rounded-md border border-line"
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={codePath(data)} fill="#000" />
      </svg>
      <figcaption className="mt-1.5">
        <p className="font-medium">{t('title')}</p>
        <p className="tabular text-sm text-mute">
          <bdi>{shown}</bdi>
        </p>
        <p className="mt-0.5 text-xs text-mute">{t('hint')}</p>
      </figcaption>
    </figure>
  )
}

/** The dark modules of a code as one SVG path, a rectangle for each run of them in a row. */
export function codePath(rows: readonly (readonly boolean[])[]): string {
  return rows.map(rowPath).join('')
}

function rowPath(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    if (row[x] !== true) continue
    const start = x
    while (row[x + 1] === true) x++
    path += `M${start} ${y}h${x + 1 - start}v1H${start}z`
  }
  return path
}
