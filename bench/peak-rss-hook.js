// Loaded into a measured command with `node --import`. At the end it writes the command's peak memory to a file.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { peakRssBytes } from './peak-rss.js'

const file = process.env.BENCH_PEAK_RSS_FILE
if (isMainThread && file) process.on('exit', () => writeFileSync(file, String(peakRssBytes())))
