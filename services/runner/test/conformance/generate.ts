// Writes services/runner/fixtures/conformance.json: node services/runner/test/conformance/generate.ts
import { writeFileSync } from 'node:fs';
import { findPython } from '../../bench/local-host.ts';
import { formatSuite, makeSuite } from './suite.ts';

const target = new URL('../../fixtures/conformance.json', import.meta.url);
writeFileSync(target, `${formatSuite(await makeSuite(findPython()))}\n`);
