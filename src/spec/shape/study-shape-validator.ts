// Generated from schemas/study.v1.json by Ajv: `npx vitest run test/spec/shape/study-shape-validator.test.ts -u`. Do not edit.
// Compiling the schema and loading the compiler would take longer than the whole rest of `whatif validate`.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
// @ts-nocheck
const codePoints = (text) => { let count = 0; for (const _ of text) count++; return count }
export const validateStudy = validate10;
const schema11 = {"$schema":"http://json-schema.org/draft-07/schema#","$id":"https://whatif.invalid/schemas/study.v1.json","title":"whatif study, version 1","description":"A study: datasets, scenarios and how their results are judged.","type":"object","required":["version","name","datasets","scenarios"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"version":{"description":"Version of the study language: the integer 1.","const":1},"name":{"description":"Name of the study; it names the output folder, the lock's scope and the state.","$ref":"#/definitions/slug"},"description":{"$ref":"#/definitions/prose"},"owner":{"$ref":"#/definitions/proseOrList"},"tags":{"$ref":"#/definitions/tags"},"links":{"$ref":"#/definitions/proseOrList"},"datasets":{"description":"Datasets by id, for example { panel: { file: seeds/panel.csv } }.","type":"object","minProperties":1,"propertyNames":{"$ref":"#/definitions/slug"},"additionalProperties":{"$ref":"#/definitions/dataset"}},"defaults":{"$ref":"#/definitions/fields"},"scenarios":{"description":"Scenarios by id, for example { more-yes: { rows: 1000, seed: 1 } }; one with `matrix` is a group.","type":"object","minProperties":1,"propertyNames":{"$ref":"#/definitions/slug"},"additionalProperties":{"$ref":"#/definitions/scenario"}},"baseline":{"description":"Scenario that comparisons are made against unless they name another.","$ref":"#/definitions/scenarioReference"},"comparisons":{"description":"Comparisons between scenarios, as a list.","type":"array","items":{"$ref":"#/definitions/comparison"}},"budget":{"description":"Upper bounds checked before the first request, for example { rows_per_run: 20000 }.","type":"object","additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"rows_per_run":{"description":"Most rows that one run may generate.","type":"integer","minimum":0},"rows_per_scenario":{"description":"Most rows that one scenario may ask for.","type":"integer","minimum":1},"new_datasets_per_run":{"description":"Most datasets that one run may upload and train.","type":"integer","minimum":0}}},"policy":{"description":"What a run does about partial results, failures, drift and retrained models.","type":"object","additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"partial":{"$ref":"#/definitions/partial"},"on_failure":{"description":"Whether a failed scenario stops the submission of further ones.","enum":["continue","stop"]},"drift":{"description":"What a change of the cleaned schema is: a fault or a warning.","enum":["fail","warn"]},"mixed_model":{"description":"What a comparison between two trainings is: a fault or a warning.","enum":["fail","warn"]}}},"output":{"description":"Where results are written, for example { dir: out/first-study }.","type":"object","additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"dir":{"description":"Folder relative to the study file, inside the project; default out/<name>.","type":"string","minLength":1,"maxLength":1024}}},"limits":{"description":"Guards against typing errors, for example { max_scenarios: 500 }.","type":"object","additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"max_scenarios":{"description":"Most combinations of one matrix; default 200.","type":"integer","minimum":1,"maximum":100000}}}},"definitions":{"slug":{"description":"Lower-case letters and digits, parts joined by single dots, dashes or underscores; at most 40 characters.","type":"string","maxLength":40,"pattern":"^[a-z0-9]+(?:[._-][a-z0-9]+)*$","not":{"pattern":"^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\\.|$)"}},"prose":{"description":"Text for people; never hashed, never sent.","type":"string"},"proseOrList":{"description":"Text for people, or a list of texts; never hashed, never sent.","type":["string","array"],"items":{"type":"string"}},"tags":{"description":"Labels for selection, as a list, for example [q4, switching].","type":"array","items":{"description":"A label.","type":"string","minLength":1,"maxLength":100}},"columnName":{"description":"Name of a column after cleaning, exactly as in the cleaned schema.","type":"string","minLength":1},"levelName":{"description":"Name of a retained level, exactly as in the cleaned schema.","type":"string","minLength":1},"scenarioReference":{"description":"Id of a scenario; those of a group are group--value--value.","type":"string","minLength":1,"maxLength":120},"dataset":{"description":"A dataset: either { file: seeds/panel.csv } or { dataset_id: ds_… }.","type":"object","additionalProperties":false,"patternProperties":{"^x-":true},"oneOf":[{"required":["file"]},{"required":["dataset_id"]}],"dependencies":{"sha256":["file"],"auto_clean":["file"],"display_name":["file"]},"properties":{"file":{"description":"Seed file (CSV, Parquet, Excel or SAV), relative to the study file and inside the project.","type":"string","minLength":1,"maxLength":1024},"sha256":{"description":"SHA-256 of the seed file, 64 hexadecimal digits; another file is refused before the upload.","type":"string","pattern":"^[0-9A-Fa-f]{64}$"},"auto_clean":{"description":"Whether the service cleans the file; default true.","type":"boolean"},"display_name":{"description":"Name shown by the service, at most 200 characters without control characters; default: the dataset id.","type":"string","minLength":1,"maxLength":200,"pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]*$"},"dataset_id":{"description":"Id of a dataset trained earlier; it is only read.","type":"string","minLength":1,"maxLength":200,"pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]*$"},"description":{"$ref":"#/definitions/prose"}}},"rows":{"description":"Rows wanted, an integer of at least 1.","type":"integer","minimum":1},"seed":{"description":"Random seed: an integer, or the word random.","type":["integer","string"],"if":{"type":"string"},"then":{"enum":["random"]}},"format":{"description":"Format of the result; default parquet.","enum":["parquet","csv","arrow"]},"shares":{"description":"Target shares by column and level, for example { region: { North: 0.6, South: 0.4 } }.","type":"object","propertyNames":{"$ref":"#/definitions/columnName"},"additionalProperties":{"$ref":"#/definitions/levels"}},"levels":{"description":"Levels with their target shares, for example { North: 0.6, South: 0.4 }; null removes an inherited condition.","type":["object","null"],"minProperties":1,"propertyNames":{"$ref":"#/definitions/levelName"},"additionalProperties":{"$ref":"#/definitions/share"}},"share":{"description":"A share between 0 and 1; 0.70 means 70 %.","type":"number","minimum":0,"maximum":1},"ranges":{"description":"Ranges by numeric column, for example { age: { min: 18, max: 65 } }.","type":"object","propertyNames":{"$ref":"#/definitions/columnName"},"additionalProperties":{"$ref":"#/definitions/range"}},"range":{"description":"Both ends of a range, included, for example { min: 18, max: 65 }; null removes an inherited condition.","type":["object","null"],"required":["min","max"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"min":{"description":"Least value, a number.","type":"number"},"max":{"description":"Greatest value, a number.","type":"number"}}},"partial":{"description":"What fewer rows than asked for are: accept, warn or fail, or { accept_from: 0.9, otherwise: fail }.","type":["string","object"],"if":{"type":"string"},"then":{"enum":["accept","warn","fail"]},"else":{"$ref":"#/definitions/partialRule"}},"partialRule":{"description":"A least ratio of rows and what less is, for example { accept_from: 0.9, otherwise: fail }.","type":"object","required":["accept_from","otherwise"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"accept_from":{"description":"Least accepted ratio of generated to requested rows, between 0 and 1.","type":"number","minimum":0,"maximum":1},"otherwise":{"description":"What fewer rows are.","enum":["warn","fail"]}}},"gates":{"description":"Checks of the result, for example { fill: { min: 0.95 }, shares: { tolerance: 0.03 } }.","type":"object","additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"fill":{"description":"Generated rows over requested rows, for example { min: 0.95 }.","type":"object","required":["min"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"min":{"description":"Least ratio, between 0 and 1.","type":"number","minimum":0,"maximum":1}}},"shares":{"description":"Largest distance of achieved from target shares, for example { tolerance: 0.03 }.","type":"object","anyOf":[{"required":["tolerance"]},{"required":["columns"]}],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"tolerance":{"$ref":"#/definitions/tolerance"},"columns":{"description":"Tolerances by column, for example { region: 0.02 }.","type":"object","minProperties":1,"propertyNames":{"$ref":"#/definitions/columnName"},"additionalProperties":{"$ref":"#/definitions/tolerance"}}}},"ranges":{"description":"Share of rows outside a stated range, for example { outside_max: 0 }.","type":"object","required":["outside_max"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"outside_max":{"description":"Largest share of rows outside, between 0 and 1.","type":"number","minimum":0,"maximum":1}}}}},"tolerance":{"description":"Largest absolute difference of shares, between 0 and 1.","type":"number","minimum":0,"maximum":1},"fields":{"description":"Fields of a scenario, for example { rows: 1000, seed: 1 }.","type":"object","additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"dataset":{"$ref":"#/definitions/datasetReference"},"rows":{"$ref":"#/definitions/rows"},"seed":{"$ref":"#/definitions/seed"},"format":{"$ref":"#/definitions/format"},"shares":{"$ref":"#/definitions/shares"},"ranges":{"$ref":"#/definitions/ranges"},"partial":{"$ref":"#/definitions/partial"},"expect":{"$ref":"#/definitions/gates"},"warn":{"$ref":"#/definitions/gates"},"tags":{"$ref":"#/definitions/tags"}}},"datasetReference":{"description":"Id of a dataset of this study; may be left out when there is only one.","type":"string","minLength":1},"scenario":{"description":"A scenario, for example { rows: 1000, seed: 1, shares: { region: { North: 0.6 } } }.","type":"object","additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"description":{"$ref":"#/definitions/prose"},"owner":{"$ref":"#/definitions/proseOrList"},"links":{"$ref":"#/definitions/proseOrList"},"dataset":{"$ref":"#/definitions/datasetReference"},"rows":{"$ref":"#/definitions/rows"},"seed":{"$ref":"#/definitions/seed"},"format":{"$ref":"#/definitions/format"},"shares":{"$ref":"#/definitions/shares"},"ranges":{"$ref":"#/definitions/ranges"},"partial":{"$ref":"#/definitions/partial"},"expect":{"$ref":"#/definitions/gates"},"warn":{"$ref":"#/definitions/gates"},"tags":{"$ref":"#/definitions/tags"},"matrix":{"$ref":"#/definitions/matrix"}}},"matrix":{"description":"Axes whose values are combined, with exclude, override and include.","type":"object","required":["axes"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"axes":{"description":"Axes in the order in which they name the scenarios, as a list of { name, values }.","type":"array","minItems":1,"items":{"$ref":"#/definitions/axis"}},"exclude":{"description":"Combinations to leave out, as a list, for example [{ region: south, intent: high }].","type":"array","items":{"$ref":"#/definitions/match"}},"override":{"description":"Patches of matching combinations, as a list of { match, set }; later ones win.","type":"array","items":{"description":"A patch, for example { match: { intent: high }, set: { rows: 4000 } }.","type":"object","required":["match","set"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"match":{"$ref":"#/definitions/match"},"set":{"$ref":"#/definitions/fields"}}}},"include":{"description":"Whole scenarios added on top of the group, as a list of { id, set }.","type":"array","items":{"description":"A scenario added to the group, for example { id: stress, set: { rows: 500 } }.","type":"object","required":["id"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"id":{"$ref":"#/definitions/slug"},"description":{"$ref":"#/definitions/prose"},"set":{"$ref":"#/definitions/fields"}}}}}},"axis":{"description":"An axis: { name, values } with a patch per value, or { name, set, values } with a number or word per value.","type":"object","required":["name","values"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"name":{"$ref":"#/definitions/slug"},"set":{"description":"Path of the one value that the axis sets, as a list, for example [shares, region, North].","type":"array","minItems":1,"maxItems":4,"items":{"$ref":"#/definitions/pathItem"}},"values":{"description":"Values of the axis by slug, for example { low: 0.2, high: 0.5 }.","type":"object","minProperties":1,"propertyNames":{"$ref":"#/definitions/slug"}}},"if":{"required":["set"]},"then":{"properties":{"values":{"additionalProperties":{"$ref":"#/definitions/axisScalar"}}}},"else":{"properties":{"values":{"additionalProperties":{"$ref":"#/definitions/fields"}}}}},"pathItem":{"description":"A key, column or level on the way to the value that the axis sets.","type":"string","minLength":1},"axisScalar":{"description":"A number or a word: the value that the axis puts where `set` points.","type":["number","string","boolean"]},"match":{"description":"Values by axis, for example { region: south, intent: high }.","type":"object","minProperties":1,"additionalProperties":{"$ref":"#/definitions/axisValueReference"}},"axisValueReference":{"description":"A value of the axis.","type":"string","minLength":1},"comparison":{"description":"A comparison, for example { id: lift, scenarios: [\"switch--*\"], shares: [purchase.intent] }.","type":"object","required":["id","scenarios"],"anyOf":[{"required":["shares"]},{"required":["means"]}],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"id":{"$ref":"#/definitions/slug"},"description":{"$ref":"#/definitions/prose"},"scenarios":{"description":"Scenarios to compare, as a list of ids or globs, for example [\"switch--*\"].","type":"array","minItems":1,"items":{"description":"Id of a scenario, or a glob with * and ?.","type":"string","minLength":1,"maxLength":200}},"against":{"description":"Scenario to compare with; default: `baseline`.","$ref":"#/definitions/scenarioReference"},"shares":{"description":"Columns whose level shares are compared, as a list, for example [purchase.intent].","type":"array","minItems":1,"items":{"$ref":"#/definitions/columnName"}},"means":{"description":"Numeric columns whose mean, deviation and quantiles are compared, as a list.","type":"array","minItems":1,"items":{"$ref":"#/definitions/columnName"}},"expect":{"$ref":"#/definitions/comparisonGates"},"warn":{"$ref":"#/definitions/comparisonGates"}}},"comparisonGates":{"description":"Checks of differences, as a list, for example [{ scenario: a, column: region, level: North, delta_min: 0.1 }].","type":"array","items":{"description":"A check of one difference, for example { scenario: a, column: region, level: North, delta_min: 0.1 }.","type":"object","required":["scenario","column"],"anyOf":[{"required":["delta_min"]},{"required":["delta_max"]}],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"scenario":{"$ref":"#/definitions/scenarioReference"},"column":{"$ref":"#/definitions/columnName"},"level":{"$ref":"#/definitions/levelName"},"delta_min":{"description":"Least difference, a number.","type":"number"},"delta_max":{"description":"Greatest difference, a number.","type":"number"}}}}}};
const schema12 = {"description":"Lower-case letters and digits, parts joined by single dots, dashes or underscores; at most 40 characters.","type":"string","maxLength":40,"pattern":"^[a-z0-9]+(?:[._-][a-z0-9]+)*$","not":{"pattern":"^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\\.|$)"}};
const schema13 = {"description":"Text for people; never hashed, never sent.","type":"string"};
const schema14 = {"description":"Text for people, or a list of texts; never hashed, never sent.","type":["string","array"],"items":{"type":"string"}};
const schema15 = {"description":"Labels for selection, as a list, for example [q4, switching].","type":"array","items":{"description":"A label.","type":"string","minLength":1,"maxLength":100}};
const schema60 = {"description":"Id of a scenario; those of a group are group--value--value.","type":"string","minLength":1,"maxLength":120};
const func2 = Object.prototype.hasOwnProperty;
const func3 = codePoints;
const pattern0 = new RegExp("^x-", "u");
const pattern1 = new RegExp("^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\\.|$)", "u");
const pattern2 = new RegExp("^[a-z0-9]+(?:[._-][a-z0-9]+)*$", "u");
const schema18 = {"description":"A dataset: either { file: seeds/panel.csv } or { dataset_id: ds_… }.","type":"object","additionalProperties":false,"patternProperties":{"^x-":true},"oneOf":[{"required":["file"]},{"required":["dataset_id"]}],"dependencies":{"sha256":["file"],"auto_clean":["file"],"display_name":["file"]},"properties":{"file":{"description":"Seed file (CSV, Parquet, Excel or SAV), relative to the study file and inside the project.","type":"string","minLength":1,"maxLength":1024},"sha256":{"description":"SHA-256 of the seed file, 64 hexadecimal digits; another file is refused before the upload.","type":"string","pattern":"^[0-9A-Fa-f]{64}$"},"auto_clean":{"description":"Whether the service cleans the file; default true.","type":"boolean"},"display_name":{"description":"Name shown by the service, at most 200 characters without control characters; default: the dataset id.","type":"string","minLength":1,"maxLength":200,"pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]*$"},"dataset_id":{"description":"Id of a dataset trained earlier; it is only read.","type":"string","minLength":1,"maxLength":200,"pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]*$"},"description":{"$ref":"#/definitions/prose"}}};
const pattern6 = new RegExp("^[0-9A-Fa-f]{64}$", "u");
const pattern7 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.file === undefined){
const err0 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "file"},message:"must have required property '"+"file"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.dataset_id === undefined){
const err1 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "dataset_id"},message:"must have required property '"+"dataset_id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
}
}
if(!valid0){
const err2 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(((((((key0 === "file") || (key0 === "sha256")) || (key0 === "auto_clean")) || (key0 === "display_name")) || (key0 === "dataset_id")) || (key0 === "description")) || (pattern0.test(key0)))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.sha256 !== undefined){
if(data.file === undefined){
const err4 = {instancePath,schemaPath:"#/dependencies",keyword:"dependencies",params:{property: "sha256",
    missingProperty: "file",
    depsCount: 1,
    deps: "file"},message:"must have property file when property sha256 is present"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.auto_clean !== undefined){
if(data.file === undefined){
const err5 = {instancePath,schemaPath:"#/dependencies",keyword:"dependencies",params:{property: "auto_clean",
    missingProperty: "file",
    depsCount: 1,
    deps: "file"},message:"must have property file when property auto_clean is present"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.display_name !== undefined){
if(data.file === undefined){
const err6 = {instancePath,schemaPath:"#/dependencies",keyword:"dependencies",params:{property: "display_name",
    missingProperty: "file",
    depsCount: 1,
    deps: "file"},message:"must have property file when property display_name is present"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.file !== undefined){
let data0 = data.file;
if(typeof data0 === "string"){
if(func3(data0) > 1024){
const err7 = {instancePath:instancePath+"/file",schemaPath:"#/properties/file/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(func3(data0) < 1){
const err8 = {instancePath:instancePath+"/file",schemaPath:"#/properties/file/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/file",schemaPath:"#/properties/file/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.sha256 !== undefined){
let data1 = data.sha256;
if(typeof data1 === "string"){
if(!pattern6.test(data1)){
const err10 = {instancePath:instancePath+"/sha256",schemaPath:"#/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Fa-f]{64}$"},message:"must match pattern \""+"^[0-9A-Fa-f]{64}$"+"\""};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/sha256",schemaPath:"#/properties/sha256/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.auto_clean !== undefined){
if(typeof data.auto_clean !== "boolean"){
const err12 = {instancePath:instancePath+"/auto_clean",schemaPath:"#/properties/auto_clean/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.display_name !== undefined){
let data3 = data.display_name;
if(typeof data3 === "string"){
if(func3(data3) > 200){
const err13 = {instancePath:instancePath+"/display_name",schemaPath:"#/properties/display_name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(func3(data3) < 1){
const err14 = {instancePath:instancePath+"/display_name",schemaPath:"#/properties/display_name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(!pattern7.test(data3)){
const err15 = {instancePath:instancePath+"/display_name",schemaPath:"#/properties/display_name/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"},message:"must match pattern \""+"^[^\\u0000-\\u001F\\u007F-\\u009F]*$"+"\""};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/display_name",schemaPath:"#/properties/display_name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.dataset_id !== undefined){
let data4 = data.dataset_id;
if(typeof data4 === "string"){
if(func3(data4) > 200){
const err17 = {instancePath:instancePath+"/dataset_id",schemaPath:"#/properties/dataset_id/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(func3(data4) < 1){
const err18 = {instancePath:instancePath+"/dataset_id",schemaPath:"#/properties/dataset_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(!pattern7.test(data4)){
const err19 = {instancePath:instancePath+"/dataset_id",schemaPath:"#/properties/dataset_id/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"},message:"must match pattern \""+"^[^\\u0000-\\u001F\\u007F-\\u009F]*$"+"\""};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/dataset_id",schemaPath:"#/properties/dataset_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err21 = {instancePath:instancePath+"/description",schemaPath:"#/definitions/prose/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
validate11.errors = vErrors;
return errors === 0;
}

const schema20 = {"description":"Fields of a scenario, for example { rows: 1000, seed: 1 }.","type":"object","additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"dataset":{"$ref":"#/definitions/datasetReference"},"rows":{"$ref":"#/definitions/rows"},"seed":{"$ref":"#/definitions/seed"},"format":{"$ref":"#/definitions/format"},"shares":{"$ref":"#/definitions/shares"},"ranges":{"$ref":"#/definitions/ranges"},"partial":{"$ref":"#/definitions/partial"},"expect":{"$ref":"#/definitions/gates"},"warn":{"$ref":"#/definitions/gates"},"tags":{"$ref":"#/definitions/tags"}}};
const schema21 = {"description":"Id of a dataset of this study; may be left out when there is only one.","type":"string","minLength":1};
const schema22 = {"description":"Rows wanted, an integer of at least 1.","type":"integer","minimum":1};
const schema23 = {"description":"Random seed: an integer, or the word random.","type":["integer","string"],"if":{"type":"string"},"then":{"enum":["random"]}};
const schema24 = {"description":"Format of the result; default parquet.","enum":["parquet","csv","arrow"]};
const schema25 = {"description":"Target shares by column and level, for example { region: { North: 0.6, South: 0.4 } }.","type":"object","propertyNames":{"$ref":"#/definitions/columnName"},"additionalProperties":{"$ref":"#/definitions/levels"}};
const schema26 = {"description":"Name of a column after cleaning, exactly as in the cleaned schema.","type":"string","minLength":1};
const schema27 = {"description":"Levels with their target shares, for example { North: 0.6, South: 0.4 }; null removes an inherited condition.","type":["object","null"],"minProperties":1,"propertyNames":{"$ref":"#/definitions/levelName"},"additionalProperties":{"$ref":"#/definitions/share"}};
const schema28 = {"description":"Name of a retained level, exactly as in the cleaned schema.","type":"string","minLength":1};
const schema29 = {"description":"A share between 0 and 1; 0.70 means 70 %.","type":"number","minimum":0,"maximum":1};

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if((!(data && typeof data == "object" && !Array.isArray(data))) && (data !== null)){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema27.type},message:"must be object,null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length < 1){
const err1 = {instancePath,schemaPath:"#/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
const _errs1 = errors;
if(typeof key0 === "string"){
if(func3(key0) < 1){
const err2 = {instancePath,schemaPath:"#/definitions/levelName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",propertyName:key0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath,schemaPath:"#/definitions/levelName/type",keyword:"type",params:{type: "string"},message:"must be string",propertyName:key0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
var valid0 = _errs1 === errors;
if(!valid0){
const err4 = {instancePath,schemaPath:"#/propertyNames",keyword:"propertyNames",params:{propertyName: key0},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
for(const key1 in data){
let data0 = data[key1];
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 1 || isNaN(data0)){
const err5 = {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/share/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1},message:"must be <= 1"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data0 < 0 || isNaN(data0)){
const err6 = {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/share/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/share/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
validate15.errors = vErrors;
return errors === 0;
}


function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
const _errs1 = errors;
if(typeof key0 === "string"){
if(func3(key0) < 1){
const err0 = {instancePath,schemaPath:"#/definitions/columnName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",propertyName:key0};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/definitions/columnName/type",keyword:"type",params:{type: "string"},message:"must be string",propertyName:key0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var valid0 = _errs1 === errors;
if(!valid0){
const err2 = {instancePath,schemaPath:"#/propertyNames",keyword:"propertyNames",params:{propertyName: key0},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
for(const key1 in data){
if(!(validate15(data[key1], {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data,parentDataProperty:key1,rootData}))){
vErrors = vErrors === null ? validate15.errors : vErrors.concat(validate15.errors);
errors = vErrors.length;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate14.errors = vErrors;
return errors === 0;
}

const schema30 = {"description":"Ranges by numeric column, for example { age: { min: 18, max: 65 } }.","type":"object","propertyNames":{"$ref":"#/definitions/columnName"},"additionalProperties":{"$ref":"#/definitions/range"}};
const schema32 = {"description":"Both ends of a range, included, for example { min: 18, max: 65 }; null removes an inherited condition.","type":["object","null"],"required":["min","max"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"min":{"description":"Least value, a number.","type":"number"},"max":{"description":"Greatest value, a number.","type":"number"}}};

function validate18(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
const _errs1 = errors;
if(typeof key0 === "string"){
if(func3(key0) < 1){
const err0 = {instancePath,schemaPath:"#/definitions/columnName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",propertyName:key0};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/definitions/columnName/type",keyword:"type",params:{type: "string"},message:"must be string",propertyName:key0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var valid0 = _errs1 === errors;
if(!valid0){
const err2 = {instancePath,schemaPath:"#/propertyNames",keyword:"propertyNames",params:{propertyName: key0},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
for(const key1 in data){
let data0 = data[key1];
if((!(data0 && typeof data0 == "object" && !Array.isArray(data0))) && (data0 !== null)){
const err3 = {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/range/type",keyword:"type",params:{type: schema32.type},message:"must be object,null"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.min === undefined){
const err4 = {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/range/required",keyword:"required",params:{missingProperty: "min"},message:"must have required property '"+"min"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data0.max === undefined){
const err5 = {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/range/required",keyword:"required",params:{missingProperty: "max"},message:"must have required property '"+"max"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key2 in data0){
if(!(((key2 === "min") || (key2 === "max")) || (pattern0.test(key2)))){
const err6 = {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/range/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data0.min !== undefined){
let data1 = data0.min;
if(!((typeof data1 == "number") && (isFinite(data1)))){
const err7 = {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/min",schemaPath:"#/definitions/range/properties/min/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data0.max !== undefined){
let data2 = data0.max;
if(!((typeof data2 == "number") && (isFinite(data2)))){
const err8 = {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/max",schemaPath:"#/definitions/range/properties/max/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate18.errors = vErrors;
return errors === 0;
}

const schema33 = {"description":"What fewer rows than asked for are: accept, warn or fail, or { accept_from: 0.9, otherwise: fail }.","type":["string","object"],"if":{"type":"string"},"then":{"enum":["accept","warn","fail"]},"else":{"$ref":"#/definitions/partialRule"}};
const schema34 = {"description":"A least ratio of rows and what less is, for example { accept_from: 0.9, otherwise: fail }.","type":"object","required":["accept_from","otherwise"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"accept_from":{"description":"Least accepted ratio of generated to requested rows, between 0 and 1.","type":"number","minimum":0,"maximum":1},"otherwise":{"description":"What fewer rows are.","enum":["warn","fail"]}}};

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if((typeof data !== "string") && (!(data && typeof data == "object" && !Array.isArray(data)))){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema33.type},message:"must be string,object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(typeof data !== "string"){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs4 = errors;
if(!(((data === "accept") || (data === "warn")) || (data === "fail"))){
const err2 = {instancePath,schemaPath:"#/then/enum",keyword:"enum",params:{allowedValues: schema33.then.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs5 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.accept_from === undefined){
const err3 = {instancePath,schemaPath:"#/definitions/partialRule/required",keyword:"required",params:{missingProperty: "accept_from"},message:"must have required property '"+"accept_from"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.otherwise === undefined){
const err4 = {instancePath,schemaPath:"#/definitions/partialRule/required",keyword:"required",params:{missingProperty: "otherwise"},message:"must have required property '"+"otherwise"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "accept_from") || (key0 === "otherwise")) || (pattern0.test(key0)))){
const err5 = {instancePath,schemaPath:"#/definitions/partialRule/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.accept_from !== undefined){
let data0 = data.accept_from;
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 1 || isNaN(data0)){
const err6 = {instancePath:instancePath+"/accept_from",schemaPath:"#/definitions/partialRule/properties/accept_from/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1},message:"must be <= 1"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data0 < 0 || isNaN(data0)){
const err7 = {instancePath:instancePath+"/accept_from",schemaPath:"#/definitions/partialRule/properties/accept_from/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/accept_from",schemaPath:"#/definitions/partialRule/properties/accept_from/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.otherwise !== undefined){
let data1 = data.otherwise;
if(!((data1 === "warn") || (data1 === "fail"))){
const err9 = {instancePath:instancePath+"/otherwise",schemaPath:"#/definitions/partialRule/properties/otherwise/enum",keyword:"enum",params:{allowedValues: schema34.properties.otherwise.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/definitions/partialRule/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var _valid0 = _errs5 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
const err11 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},message:"must match \""+ifClause0+"\" schema"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}

const schema35 = {"description":"Checks of the result, for example { fill: { min: 0.95 }, shares: { tolerance: 0.03 } }.","type":"object","additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"fill":{"description":"Generated rows over requested rows, for example { min: 0.95 }.","type":"object","required":["min"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"min":{"description":"Least ratio, between 0 and 1.","type":"number","minimum":0,"maximum":1}}},"shares":{"description":"Largest distance of achieved from target shares, for example { tolerance: 0.03 }.","type":"object","anyOf":[{"required":["tolerance"]},{"required":["columns"]}],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"tolerance":{"$ref":"#/definitions/tolerance"},"columns":{"description":"Tolerances by column, for example { region: 0.02 }.","type":"object","minProperties":1,"propertyNames":{"$ref":"#/definitions/columnName"},"additionalProperties":{"$ref":"#/definitions/tolerance"}}}},"ranges":{"description":"Share of rows outside a stated range, for example { outside_max: 0 }.","type":"object","required":["outside_max"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"outside_max":{"description":"Largest share of rows outside, between 0 and 1.","type":"number","minimum":0,"maximum":1}}}}};
const schema36 = {"description":"Largest absolute difference of shares, between 0 and 1.","type":"number","minimum":0,"maximum":1};

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((key0 === "fill") || (key0 === "shares")) || (key0 === "ranges")) || (pattern0.test(key0)))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.fill !== undefined){
let data0 = data.fill;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.min === undefined){
const err1 = {instancePath:instancePath+"/fill",schemaPath:"#/properties/fill/required",keyword:"required",params:{missingProperty: "min"},message:"must have required property '"+"min"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key1 in data0){
if(!((key1 === "min") || (pattern0.test(key1)))){
const err2 = {instancePath:instancePath+"/fill",schemaPath:"#/properties/fill/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data0.min !== undefined){
let data1 = data0.min;
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 1 || isNaN(data1)){
const err3 = {instancePath:instancePath+"/fill/min",schemaPath:"#/properties/fill/properties/min/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1},message:"must be <= 1"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1 < 0 || isNaN(data1)){
const err4 = {instancePath:instancePath+"/fill/min",schemaPath:"#/properties/fill/properties/min/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/fill/min",schemaPath:"#/properties/fill/properties/min/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath:instancePath+"/fill",schemaPath:"#/properties/fill/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.shares !== undefined){
let data2 = data.shares;
const _errs9 = errors;
let valid2 = false;
const _errs10 = errors;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.tolerance === undefined){
const err7 = {instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/anyOf/0/required",keyword:"required",params:{missingProperty: "tolerance"},message:"must have required property '"+"tolerance"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
var _valid0 = _errs10 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const _errs11 = errors;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.columns === undefined){
const err8 = {instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/anyOf/1/required",keyword:"required",params:{missingProperty: "columns"},message:"must have required property '"+"columns"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
var _valid0 = _errs11 === errors;
valid2 = valid2 || _valid0;
}
if(!valid2){
const err9 = {instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
else {
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
}
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
if(!(((key2 === "tolerance") || (key2 === "columns")) || (pattern0.test(key2)))){
const err10 = {instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data2.tolerance !== undefined){
let data3 = data2.tolerance;
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 1 || isNaN(data3)){
const err11 = {instancePath:instancePath+"/shares/tolerance",schemaPath:"#/definitions/tolerance/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1},message:"must be <= 1"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data3 < 0 || isNaN(data3)){
const err12 = {instancePath:instancePath+"/shares/tolerance",schemaPath:"#/definitions/tolerance/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/shares/tolerance",schemaPath:"#/definitions/tolerance/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data2.columns !== undefined){
let data4 = data2.columns;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(Object.keys(data4).length < 1){
const err14 = {instancePath:instancePath+"/shares/columns",schemaPath:"#/properties/shares/properties/columns/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
for(const key3 in data4){
const _errs18 = errors;
if(typeof key3 === "string"){
if(func3(key3) < 1){
const err15 = {instancePath:instancePath+"/shares/columns",schemaPath:"#/definitions/columnName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",propertyName:key3};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/shares/columns",schemaPath:"#/definitions/columnName/type",keyword:"type",params:{type: "string"},message:"must be string",propertyName:key3};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
var valid5 = _errs18 === errors;
if(!valid5){
const err17 = {instancePath:instancePath+"/shares/columns",schemaPath:"#/properties/shares/properties/columns/propertyNames",keyword:"propertyNames",params:{propertyName: key3},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
for(const key4 in data4){
let data5 = data4[key4];
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 1 || isNaN(data5)){
const err18 = {instancePath:instancePath+"/shares/columns/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/tolerance/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1},message:"must be <= 1"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(data5 < 0 || isNaN(data5)){
const err19 = {instancePath:instancePath+"/shares/columns/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/tolerance/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/shares/columns/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/tolerance/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
else {
const err21 = {instancePath:instancePath+"/shares/columns",schemaPath:"#/properties/shares/properties/columns/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.ranges !== undefined){
let data6 = data.ranges;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.outside_max === undefined){
const err23 = {instancePath:instancePath+"/ranges",schemaPath:"#/properties/ranges/required",keyword:"required",params:{missingProperty: "outside_max"},message:"must have required property '"+"outside_max"+"'"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
for(const key5 in data6){
if(!((key5 === "outside_max") || (pattern0.test(key5)))){
const err24 = {instancePath:instancePath+"/ranges",schemaPath:"#/properties/ranges/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data6.outside_max !== undefined){
let data7 = data6.outside_max;
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 1 || isNaN(data7)){
const err25 = {instancePath:instancePath+"/ranges/outside_max",schemaPath:"#/properties/ranges/properties/outside_max/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1},message:"must be <= 1"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(data7 < 0 || isNaN(data7)){
const err26 = {instancePath:instancePath+"/ranges/outside_max",schemaPath:"#/properties/ranges/properties/outside_max/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/ranges/outside_max",schemaPath:"#/properties/ranges/properties/outside_max/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
else {
const err28 = {instancePath:instancePath+"/ranges",schemaPath:"#/properties/ranges/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
}
else {
const err29 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}


function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((func2.call(schema20.properties, key0)) || (pattern0.test(key0)))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.dataset !== undefined){
let data0 = data.dataset;
if(typeof data0 === "string"){
if(func3(data0) < 1){
const err1 = {instancePath:instancePath+"/dataset",schemaPath:"#/definitions/datasetReference/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/dataset",schemaPath:"#/definitions/datasetReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.rows !== undefined){
let data1 = data.rows;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err3 = {instancePath:instancePath+"/rows",schemaPath:"#/definitions/rows/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 1 || isNaN(data1)){
const err4 = {instancePath:instancePath+"/rows",schemaPath:"#/definitions/rows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
if(data.seed !== undefined){
let data2 = data.seed;
if((!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))) && (typeof data2 !== "string")){
const err5 = {instancePath:instancePath+"/seed",schemaPath:"#/definitions/seed/type",keyword:"type",params:{type: schema23.type},message:"must be integer,string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
const _errs11 = errors;
let valid4 = true;
const _errs12 = errors;
if(typeof data2 !== "string"){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var _valid0 = _errs12 === errors;
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs14 = errors;
if(!(data2 === "random")){
const err7 = {instancePath:instancePath+"/seed",schemaPath:"#/definitions/seed/then/enum",keyword:"enum",params:{allowedValues: schema23.then.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
var _valid0 = _errs14 === errors;
valid4 = _valid0;
}
if(!valid4){
const err8 = {instancePath:instancePath+"/seed",schemaPath:"#/definitions/seed/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.format !== undefined){
let data3 = data.format;
if(!(((data3 === "parquet") || (data3 === "csv")) || (data3 === "arrow"))){
const err9 = {instancePath:instancePath+"/format",schemaPath:"#/definitions/format/enum",keyword:"enum",params:{allowedValues: schema24.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.shares !== undefined){
if(!(validate14(data.shares, {instancePath:instancePath+"/shares",parentData:data,parentDataProperty:"shares",rootData}))){
vErrors = vErrors === null ? validate14.errors : vErrors.concat(validate14.errors);
errors = vErrors.length;
}
}
if(data.ranges !== undefined){
if(!(validate18(data.ranges, {instancePath:instancePath+"/ranges",parentData:data,parentDataProperty:"ranges",rootData}))){
vErrors = vErrors === null ? validate18.errors : vErrors.concat(validate18.errors);
errors = vErrors.length;
}
}
if(data.partial !== undefined){
if(!(validate20(data.partial, {instancePath:instancePath+"/partial",parentData:data,parentDataProperty:"partial",rootData}))){
vErrors = vErrors === null ? validate20.errors : vErrors.concat(validate20.errors);
errors = vErrors.length;
}
}
if(data.expect !== undefined){
if(!(validate22(data.expect, {instancePath:instancePath+"/expect",parentData:data,parentDataProperty:"expect",rootData}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
if(data.warn !== undefined){
if(!(validate22(data.warn, {instancePath:instancePath+"/warn",parentData:data,parentDataProperty:"warn",rootData}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
if(data.tags !== undefined){
let data9 = data.tags;
if(Array.isArray(data9)){
const len0 = data9.length;
for(let i0=0; i0<len0; i0++){
let data10 = data9[i0];
if(typeof data10 === "string"){
if(func3(data10) > 100){
const err10 = {instancePath:instancePath+"/tags/" + i0,schemaPath:"#/definitions/tags/items/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(func3(data10) < 1){
const err11 = {instancePath:instancePath+"/tags/" + i0,schemaPath:"#/definitions/tags/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/tags/" + i0,schemaPath:"#/definitions/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/tags",schemaPath:"#/definitions/tags/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate13.errors = vErrors;
return errors === 0;
}

const schema41 = {"description":"A scenario, for example { rows: 1000, seed: 1, shares: { region: { North: 0.6 } } }.","type":"object","additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"description":{"$ref":"#/definitions/prose"},"owner":{"$ref":"#/definitions/proseOrList"},"links":{"$ref":"#/definitions/proseOrList"},"dataset":{"$ref":"#/definitions/datasetReference"},"rows":{"$ref":"#/definitions/rows"},"seed":{"$ref":"#/definitions/seed"},"format":{"$ref":"#/definitions/format"},"shares":{"$ref":"#/definitions/shares"},"ranges":{"$ref":"#/definitions/ranges"},"partial":{"$ref":"#/definitions/partial"},"expect":{"$ref":"#/definitions/gates"},"warn":{"$ref":"#/definitions/gates"},"tags":{"$ref":"#/definitions/tags"},"matrix":{"$ref":"#/definitions/matrix"}}};
const schema50 = {"description":"Axes whose values are combined, with exclude, override and include.","type":"object","required":["axes"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"axes":{"description":"Axes in the order in which they name the scenarios, as a list of { name, values }.","type":"array","minItems":1,"items":{"$ref":"#/definitions/axis"}},"exclude":{"description":"Combinations to leave out, as a list, for example [{ region: south, intent: high }].","type":"array","items":{"$ref":"#/definitions/match"}},"override":{"description":"Patches of matching combinations, as a list of { match, set }; later ones win.","type":"array","items":{"description":"A patch, for example { match: { intent: high }, set: { rows: 4000 } }.","type":"object","required":["match","set"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"match":{"$ref":"#/definitions/match"},"set":{"$ref":"#/definitions/fields"}}}},"include":{"description":"Whole scenarios added on top of the group, as a list of { id, set }.","type":"array","items":{"description":"A scenario added to the group, for example { id: stress, set: { rows: 500 } }.","type":"object","required":["id"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"id":{"$ref":"#/definitions/slug"},"description":{"$ref":"#/definitions/prose"},"set":{"$ref":"#/definitions/fields"}}}}}};
const schema51 = {"description":"An axis: { name, values } with a patch per value, or { name, set, values } with a number or word per value.","type":"object","required":["name","values"],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"name":{"$ref":"#/definitions/slug"},"set":{"description":"Path of the one value that the axis sets, as a list, for example [shares, region, North].","type":"array","minItems":1,"maxItems":4,"items":{"$ref":"#/definitions/pathItem"}},"values":{"description":"Values of the axis by slug, for example { low: 0.2, high: 0.5 }.","type":"object","minProperties":1,"propertyNames":{"$ref":"#/definitions/slug"}}},"if":{"required":["set"]},"then":{"properties":{"values":{"additionalProperties":{"$ref":"#/definitions/axisScalar"}}}},"else":{"properties":{"values":{"additionalProperties":{"$ref":"#/definitions/fields"}}}}};
const schema52 = {"description":"A number or a word: the value that the axis puts where `set` points.","type":["number","string","boolean"]};
const schema54 = {"description":"A key, column or level on the way to the value that the axis sets.","type":"string","minLength":1};

function validate33(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.set === undefined) && (missing0 = "set")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.values !== undefined){
let data0 = data.values;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key0 in data0){
let data1 = data0[key0];
if(((!((typeof data1 == "number") && (isFinite(data1)))) && (typeof data1 !== "string")) && (typeof data1 !== "boolean")){
const err1 = {instancePath:instancePath+"/values/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/axisScalar/type",keyword:"type",params:{type: schema52.type},message:"must be number,string,boolean"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
}
}
var _valid0 = _errs3 === errors;
valid0 = _valid0;
ifClause0 = "then";
}
else {
const _errs9 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.values !== undefined){
let data2 = data.values;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key1 in data2){
if(!(validate13(data2[key1], {instancePath:instancePath+"/values/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data2,parentDataProperty:key1,rootData}))){
vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
errors = vErrors.length;
}
}
}
}
}
var _valid0 = _errs9 === errors;
valid0 = _valid0;
ifClause0 = "else";
}
if(!valid0){
const err2 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},message:"must match \""+ifClause0+"\" schema"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.values === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "values"},message:"must have required property '"+"values"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key2 in data){
if(!((((key2 === "name") || (key2 === "set")) || (key2 === "values")) || (pattern0.test(key2)))){
const err5 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.name !== undefined){
let data4 = data.name;
const _errs17 = errors;
const _errs18 = errors;
if(typeof data4 === "string"){
if(!pattern1.test(data4)){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
var valid8 = _errs18 === errors;
if(valid8){
const err7 = {instancePath:instancePath+"/name",schemaPath:"#/definitions/slug/not",keyword:"not",params:{},message:"must NOT be valid"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
else {
errors = _errs17;
if(vErrors !== null){
if(_errs17){
vErrors.length = _errs17;
}
else {
vErrors = null;
}
}
}
if(typeof data4 === "string"){
if(func3(data4) > 40){
const err8 = {instancePath:instancePath+"/name",schemaPath:"#/definitions/slug/maxLength",keyword:"maxLength",params:{limit: 40},message:"must NOT have more than 40 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!pattern2.test(data4)){
const err9 = {instancePath:instancePath+"/name",schemaPath:"#/definitions/slug/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]+(?:[._-][a-z0-9]+)*$"},message:"must match pattern \""+"^[a-z0-9]+(?:[._-][a-z0-9]+)*$"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/name",schemaPath:"#/definitions/slug/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.set !== undefined){
let data5 = data.set;
if(Array.isArray(data5)){
if(data5.length > 4){
const err11 = {instancePath:instancePath+"/set",schemaPath:"#/properties/set/maxItems",keyword:"maxItems",params:{limit: 4},message:"must NOT have more than 4 items"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data5.length < 1){
const err12 = {instancePath:instancePath+"/set",schemaPath:"#/properties/set/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
let data6 = data5[i0];
if(typeof data6 === "string"){
if(func3(data6) < 1){
const err13 = {instancePath:instancePath+"/set/" + i0,schemaPath:"#/definitions/pathItem/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/set/" + i0,schemaPath:"#/definitions/pathItem/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath:instancePath+"/set",schemaPath:"#/properties/set/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.values !== undefined){
let data7 = data.values;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(Object.keys(data7).length < 1){
const err16 = {instancePath:instancePath+"/values",schemaPath:"#/properties/values/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
for(const key3 in data7){
const _errs26 = errors;
const _errs29 = errors;
const _errs30 = errors;
if(typeof key3 === "string"){
if(!pattern1.test(key3)){
const err17 = {};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
var valid14 = _errs30 === errors;
if(valid14){
const err18 = {instancePath:instancePath+"/values",schemaPath:"#/definitions/slug/not",keyword:"not",params:{},message:"must NOT be valid",propertyName:key3};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
else {
errors = _errs29;
if(vErrors !== null){
if(_errs29){
vErrors.length = _errs29;
}
else {
vErrors = null;
}
}
}
if(typeof key3 === "string"){
if(func3(key3) > 40){
const err19 = {instancePath:instancePath+"/values",schemaPath:"#/definitions/slug/maxLength",keyword:"maxLength",params:{limit: 40},message:"must NOT have more than 40 characters",propertyName:key3};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(!pattern2.test(key3)){
const err20 = {instancePath:instancePath+"/values",schemaPath:"#/definitions/slug/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]+(?:[._-][a-z0-9]+)*$"},message:"must match pattern \""+"^[a-z0-9]+(?:[._-][a-z0-9]+)*$"+"\"",propertyName:key3};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/values",schemaPath:"#/definitions/slug/type",keyword:"type",params:{type: "string"},message:"must be string",propertyName:key3};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
var valid12 = _errs26 === errors;
if(!valid12){
const err22 = {instancePath:instancePath+"/values",schemaPath:"#/properties/values/propertyNames",keyword:"propertyNames",params:{propertyName: key3},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath:instancePath+"/values",schemaPath:"#/properties/values/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
else {
const err24 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
validate33.errors = vErrors;
return errors === 0;
}

const schema56 = {"description":"Values by axis, for example { region: south, intent: high }.","type":"object","minProperties":1,"additionalProperties":{"$ref":"#/definitions/axisValueReference"}};
const schema57 = {"description":"A value of the axis.","type":"string","minLength":1};

function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length < 1){
const err0 = {instancePath,schemaPath:"#/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
let data0 = data[key0];
if(typeof data0 === "string"){
if(func3(data0) < 1){
const err1 = {instancePath:instancePath+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/axisValueReference/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/axisValueReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate36.errors = vErrors;
return errors === 0;
}


function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.axes === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "axes"},message:"must have required property '"+"axes"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(((((key0 === "axes") || (key0 === "exclude")) || (key0 === "override")) || (key0 === "include")) || (pattern0.test(key0)))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.axes !== undefined){
let data0 = data.axes;
if(Array.isArray(data0)){
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/axes",schemaPath:"#/properties/axes/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate33(data0[i0], {instancePath:instancePath+"/axes/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate33.errors : vErrors.concat(validate33.errors);
errors = vErrors.length;
}
}
}
else {
const err3 = {instancePath:instancePath+"/axes",schemaPath:"#/properties/axes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.exclude !== undefined){
let data2 = data.exclude;
if(Array.isArray(data2)){
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
if(!(validate36(data2[i1], {instancePath:instancePath+"/exclude/" + i1,parentData:data2,parentDataProperty:i1,rootData}))){
vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/exclude",schemaPath:"#/properties/exclude/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.override !== undefined){
let data4 = data.override;
if(Array.isArray(data4)){
const len2 = data4.length;
for(let i2=0; i2<len2; i2++){
let data5 = data4[i2];
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.match === undefined){
const err5 = {instancePath:instancePath+"/override/" + i2,schemaPath:"#/properties/override/items/required",keyword:"required",params:{missingProperty: "match"},message:"must have required property '"+"match"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data5.set === undefined){
const err6 = {instancePath:instancePath+"/override/" + i2,schemaPath:"#/properties/override/items/required",keyword:"required",params:{missingProperty: "set"},message:"must have required property '"+"set"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
for(const key1 in data5){
if(!(((key1 === "match") || (key1 === "set")) || (pattern0.test(key1)))){
const err7 = {instancePath:instancePath+"/override/" + i2,schemaPath:"#/properties/override/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data5.match !== undefined){
if(!(validate36(data5.match, {instancePath:instancePath+"/override/" + i2+"/match",parentData:data5,parentDataProperty:"match",rootData}))){
vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
errors = vErrors.length;
}
}
if(data5.set !== undefined){
if(!(validate13(data5.set, {instancePath:instancePath+"/override/" + i2+"/set",parentData:data5,parentDataProperty:"set",rootData}))){
vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
errors = vErrors.length;
}
}
}
else {
const err8 = {instancePath:instancePath+"/override/" + i2,schemaPath:"#/properties/override/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath:instancePath+"/override",schemaPath:"#/properties/override/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.include !== undefined){
let data8 = data.include;
if(Array.isArray(data8)){
const len3 = data8.length;
for(let i3=0; i3<len3; i3++){
let data9 = data8[i3];
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.id === undefined){
const err10 = {instancePath:instancePath+"/include/" + i3,schemaPath:"#/properties/include/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
for(const key2 in data9){
if(!((((key2 === "id") || (key2 === "description")) || (key2 === "set")) || (pattern0.test(key2)))){
const err11 = {instancePath:instancePath+"/include/" + i3,schemaPath:"#/properties/include/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data9.id !== undefined){
let data10 = data9.id;
const _errs23 = errors;
const _errs24 = errors;
if(typeof data10 === "string"){
if(!pattern1.test(data10)){
const err12 = {};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
var valid12 = _errs24 === errors;
if(valid12){
const err13 = {instancePath:instancePath+"/include/" + i3+"/id",schemaPath:"#/definitions/slug/not",keyword:"not",params:{},message:"must NOT be valid"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
else {
errors = _errs23;
if(vErrors !== null){
if(_errs23){
vErrors.length = _errs23;
}
else {
vErrors = null;
}
}
}
if(typeof data10 === "string"){
if(func3(data10) > 40){
const err14 = {instancePath:instancePath+"/include/" + i3+"/id",schemaPath:"#/definitions/slug/maxLength",keyword:"maxLength",params:{limit: 40},message:"must NOT have more than 40 characters"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(!pattern2.test(data10)){
const err15 = {instancePath:instancePath+"/include/" + i3+"/id",schemaPath:"#/definitions/slug/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]+(?:[._-][a-z0-9]+)*$"},message:"must match pattern \""+"^[a-z0-9]+(?:[._-][a-z0-9]+)*$"+"\""};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/include/" + i3+"/id",schemaPath:"#/definitions/slug/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data9.description !== undefined){
if(typeof data9.description !== "string"){
const err17 = {instancePath:instancePath+"/include/" + i3+"/description",schemaPath:"#/definitions/prose/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data9.set !== undefined){
if(!(validate13(data9.set, {instancePath:instancePath+"/include/" + i3+"/set",parentData:data9,parentDataProperty:"set",rootData}))){
vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
errors = vErrors.length;
}
}
}
else {
const err18 = {instancePath:instancePath+"/include/" + i3,schemaPath:"#/properties/include/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath:instancePath+"/include",schemaPath:"#/properties/include/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
validate32.errors = vErrors;
return errors === 0;
}


function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((func2.call(schema41.properties, key0)) || (pattern0.test(key0)))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err1 = {instancePath:instancePath+"/description",schemaPath:"#/definitions/prose/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.owner !== undefined){
let data1 = data.owner;
if((typeof data1 !== "string") && (!(Array.isArray(data1)))){
const err2 = {instancePath:instancePath+"/owner",schemaPath:"#/definitions/proseOrList/type",keyword:"type",params:{type: schema14.type},message:"must be string,array"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
if(typeof data1[i0] !== "string"){
const err3 = {instancePath:instancePath+"/owner/" + i0,schemaPath:"#/definitions/proseOrList/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
}
if(data.links !== undefined){
let data3 = data.links;
if((typeof data3 !== "string") && (!(Array.isArray(data3)))){
const err4 = {instancePath:instancePath+"/links",schemaPath:"#/definitions/proseOrList/type",keyword:"type",params:{type: schema14.type},message:"must be string,array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(Array.isArray(data3)){
const len1 = data3.length;
for(let i1=0; i1<len1; i1++){
if(typeof data3[i1] !== "string"){
const err5 = {instancePath:instancePath+"/links/" + i1,schemaPath:"#/definitions/proseOrList/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
}
if(data.dataset !== undefined){
let data5 = data.dataset;
if(typeof data5 === "string"){
if(func3(data5) < 1){
const err6 = {instancePath:instancePath+"/dataset",schemaPath:"#/definitions/datasetReference/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/dataset",schemaPath:"#/definitions/datasetReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.rows !== undefined){
let data6 = data.rows;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err8 = {instancePath:instancePath+"/rows",schemaPath:"#/definitions/rows/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 1 || isNaN(data6)){
const err9 = {instancePath:instancePath+"/rows",schemaPath:"#/definitions/rows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
if(data.seed !== undefined){
let data7 = data.seed;
if((!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))) && (typeof data7 !== "string")){
const err10 = {instancePath:instancePath+"/seed",schemaPath:"#/definitions/seed/type",keyword:"type",params:{type: schema23.type},message:"must be integer,string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
const _errs24 = errors;
let valid11 = true;
const _errs25 = errors;
if(typeof data7 !== "string"){
const err11 = {};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
var _valid0 = _errs25 === errors;
errors = _errs24;
if(vErrors !== null){
if(_errs24){
vErrors.length = _errs24;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs27 = errors;
if(!(data7 === "random")){
const err12 = {instancePath:instancePath+"/seed",schemaPath:"#/definitions/seed/then/enum",keyword:"enum",params:{allowedValues: schema23.then.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var _valid0 = _errs27 === errors;
valid11 = _valid0;
}
if(!valid11){
const err13 = {instancePath:instancePath+"/seed",schemaPath:"#/definitions/seed/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.format !== undefined){
let data8 = data.format;
if(!(((data8 === "parquet") || (data8 === "csv")) || (data8 === "arrow"))){
const err14 = {instancePath:instancePath+"/format",schemaPath:"#/definitions/format/enum",keyword:"enum",params:{allowedValues: schema24.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.shares !== undefined){
if(!(validate14(data.shares, {instancePath:instancePath+"/shares",parentData:data,parentDataProperty:"shares",rootData}))){
vErrors = vErrors === null ? validate14.errors : vErrors.concat(validate14.errors);
errors = vErrors.length;
}
}
if(data.ranges !== undefined){
if(!(validate18(data.ranges, {instancePath:instancePath+"/ranges",parentData:data,parentDataProperty:"ranges",rootData}))){
vErrors = vErrors === null ? validate18.errors : vErrors.concat(validate18.errors);
errors = vErrors.length;
}
}
if(data.partial !== undefined){
if(!(validate20(data.partial, {instancePath:instancePath+"/partial",parentData:data,parentDataProperty:"partial",rootData}))){
vErrors = vErrors === null ? validate20.errors : vErrors.concat(validate20.errors);
errors = vErrors.length;
}
}
if(data.expect !== undefined){
if(!(validate22(data.expect, {instancePath:instancePath+"/expect",parentData:data,parentDataProperty:"expect",rootData}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
if(data.warn !== undefined){
if(!(validate22(data.warn, {instancePath:instancePath+"/warn",parentData:data,parentDataProperty:"warn",rootData}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
if(data.tags !== undefined){
let data14 = data.tags;
if(Array.isArray(data14)){
const len2 = data14.length;
for(let i2=0; i2<len2; i2++){
let data15 = data14[i2];
if(typeof data15 === "string"){
if(func3(data15) > 100){
const err15 = {instancePath:instancePath+"/tags/" + i2,schemaPath:"#/definitions/tags/items/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(func3(data15) < 1){
const err16 = {instancePath:instancePath+"/tags/" + i2,schemaPath:"#/definitions/tags/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/tags/" + i2,schemaPath:"#/definitions/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/tags",schemaPath:"#/definitions/tags/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.matrix !== undefined){
if(!(validate32(data.matrix, {instancePath:instancePath+"/matrix",parentData:data,parentDataProperty:"matrix",rootData}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
}
}
else {
const err19 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
validate26.errors = vErrors;
return errors === 0;
}

const schema61 = {"description":"A comparison, for example { id: lift, scenarios: [\"switch--*\"], shares: [purchase.intent] }.","type":"object","required":["id","scenarios"],"anyOf":[{"required":["shares"]},{"required":["means"]}],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"id":{"$ref":"#/definitions/slug"},"description":{"$ref":"#/definitions/prose"},"scenarios":{"description":"Scenarios to compare, as a list of ids or globs, for example [\"switch--*\"].","type":"array","minItems":1,"items":{"description":"Id of a scenario, or a glob with * and ?.","type":"string","minLength":1,"maxLength":200}},"against":{"description":"Scenario to compare with; default: `baseline`.","$ref":"#/definitions/scenarioReference"},"shares":{"description":"Columns whose level shares are compared, as a list, for example [purchase.intent].","type":"array","minItems":1,"items":{"$ref":"#/definitions/columnName"}},"means":{"description":"Numeric columns whose mean, deviation and quantiles are compared, as a list.","type":"array","minItems":1,"items":{"$ref":"#/definitions/columnName"}},"expect":{"$ref":"#/definitions/comparisonGates"},"warn":{"$ref":"#/definitions/comparisonGates"}}};
const schema67 = {"description":"Checks of differences, as a list, for example [{ scenario: a, column: region, level: North, delta_min: 0.1 }].","type":"array","items":{"description":"A check of one difference, for example { scenario: a, column: region, level: North, delta_min: 0.1 }.","type":"object","required":["scenario","column"],"anyOf":[{"required":["delta_min"]},{"required":["delta_max"]}],"additionalProperties":false,"patternProperties":{"^x-":true},"properties":{"scenario":{"$ref":"#/definitions/scenarioReference"},"column":{"$ref":"#/definitions/columnName"},"level":{"$ref":"#/definitions/levelName"},"delta_min":{"description":"Least difference, a number.","type":"number"},"delta_max":{"description":"Greatest difference, a number.","type":"number"}}}};

function validate44(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(Array.isArray(data)){
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
const _errs3 = errors;
let valid2 = false;
const _errs4 = errors;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.delta_min === undefined){
const err0 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/anyOf/0/required",keyword:"required",params:{missingProperty: "delta_min"},message:"must have required property '"+"delta_min"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs4 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const _errs5 = errors;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.delta_max === undefined){
const err1 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/anyOf/1/required",keyword:"required",params:{missingProperty: "delta_max"},message:"must have required property '"+"delta_max"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs5 === errors;
valid2 = valid2 || _valid0;
}
if(!valid2){
const err2 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
else {
errors = _errs3;
if(vErrors !== null){
if(_errs3){
vErrors.length = _errs3;
}
else {
vErrors = null;
}
}
}
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.scenario === undefined){
const err3 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/required",keyword:"required",params:{missingProperty: "scenario"},message:"must have required property '"+"scenario"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0.column === undefined){
const err4 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/required",keyword:"required",params:{missingProperty: "column"},message:"must have required property '"+"column"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key0 in data0){
if(!((((((key0 === "scenario") || (key0 === "column")) || (key0 === "level")) || (key0 === "delta_min")) || (key0 === "delta_max")) || (pattern0.test(key0)))){
const err5 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data0.scenario !== undefined){
let data1 = data0.scenario;
if(typeof data1 === "string"){
if(func3(data1) > 120){
const err6 = {instancePath:instancePath+"/" + i0+"/scenario",schemaPath:"#/definitions/scenarioReference/maxLength",keyword:"maxLength",params:{limit: 120},message:"must NOT have more than 120 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func3(data1) < 1){
const err7 = {instancePath:instancePath+"/" + i0+"/scenario",schemaPath:"#/definitions/scenarioReference/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/" + i0+"/scenario",schemaPath:"#/definitions/scenarioReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data0.column !== undefined){
let data2 = data0.column;
if(typeof data2 === "string"){
if(func3(data2) < 1){
const err9 = {instancePath:instancePath+"/" + i0+"/column",schemaPath:"#/definitions/columnName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/" + i0+"/column",schemaPath:"#/definitions/columnName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data0.level !== undefined){
let data3 = data0.level;
if(typeof data3 === "string"){
if(func3(data3) < 1){
const err11 = {instancePath:instancePath+"/" + i0+"/level",schemaPath:"#/definitions/levelName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/" + i0+"/level",schemaPath:"#/definitions/levelName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data0.delta_min !== undefined){
let data4 = data0.delta_min;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err13 = {instancePath:instancePath+"/" + i0+"/delta_min",schemaPath:"#/items/properties/delta_min/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data0.delta_max !== undefined){
let data5 = data0.delta_max;
if(!((typeof data5 == "number") && (isFinite(data5)))){
const err14 = {instancePath:instancePath+"/" + i0+"/delta_max",schemaPath:"#/items/properties/delta_max/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
else {
const err16 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
validate44.errors = vErrors;
return errors === 0;
}


function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs1 = errors;
let valid0 = false;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.shares === undefined){
const err0 = {instancePath,schemaPath:"#/anyOf/0/required",keyword:"required",params:{missingProperty: "shares"},message:"must have required property '"+"shares"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs2 === errors;
valid0 = valid0 || _valid0;
if(!valid0){
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.means === undefined){
const err1 = {instancePath,schemaPath:"#/anyOf/1/required",keyword:"required",params:{missingProperty: "means"},message:"must have required property '"+"means"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs3 === errors;
valid0 = valid0 || _valid0;
}
if(!valid0){
const err2 = {instancePath,schemaPath:"#/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.scenarios === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "scenarios"},message:"must have required property '"+"scenarios"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key0 in data){
if(!(((((((((key0 === "id") || (key0 === "description")) || (key0 === "scenarios")) || (key0 === "against")) || (key0 === "shares")) || (key0 === "means")) || (key0 === "expect")) || (key0 === "warn")) || (pattern0.test(key0)))){
const err5 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
const _errs8 = errors;
const _errs9 = errors;
if(typeof data0 === "string"){
if(!pattern1.test(data0)){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
var valid3 = _errs9 === errors;
if(valid3){
const err7 = {instancePath:instancePath+"/id",schemaPath:"#/definitions/slug/not",keyword:"not",params:{},message:"must NOT be valid"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
else {
errors = _errs8;
if(vErrors !== null){
if(_errs8){
vErrors.length = _errs8;
}
else {
vErrors = null;
}
}
}
if(typeof data0 === "string"){
if(func3(data0) > 40){
const err8 = {instancePath:instancePath+"/id",schemaPath:"#/definitions/slug/maxLength",keyword:"maxLength",params:{limit: 40},message:"must NOT have more than 40 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!pattern2.test(data0)){
const err9 = {instancePath:instancePath+"/id",schemaPath:"#/definitions/slug/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]+(?:[._-][a-z0-9]+)*$"},message:"must match pattern \""+"^[a-z0-9]+(?:[._-][a-z0-9]+)*$"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/id",schemaPath:"#/definitions/slug/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err11 = {instancePath:instancePath+"/description",schemaPath:"#/definitions/prose/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.scenarios !== undefined){
let data2 = data.scenarios;
if(Array.isArray(data2)){
if(data2.length < 1){
const err12 = {instancePath:instancePath+"/scenarios",schemaPath:"#/properties/scenarios/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
if(typeof data3 === "string"){
if(func3(data3) > 200){
const err13 = {instancePath:instancePath+"/scenarios/" + i0,schemaPath:"#/properties/scenarios/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(func3(data3) < 1){
const err14 = {instancePath:instancePath+"/scenarios/" + i0,schemaPath:"#/properties/scenarios/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/scenarios/" + i0,schemaPath:"#/properties/scenarios/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
else {
const err16 = {instancePath:instancePath+"/scenarios",schemaPath:"#/properties/scenarios/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.against !== undefined){
let data4 = data.against;
if(typeof data4 === "string"){
if(func3(data4) > 120){
const err17 = {instancePath:instancePath+"/against",schemaPath:"#/definitions/scenarioReference/maxLength",keyword:"maxLength",params:{limit: 120},message:"must NOT have more than 120 characters"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(func3(data4) < 1){
const err18 = {instancePath:instancePath+"/against",schemaPath:"#/definitions/scenarioReference/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/against",schemaPath:"#/definitions/scenarioReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.shares !== undefined){
let data5 = data.shares;
if(Array.isArray(data5)){
if(data5.length < 1){
const err20 = {instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
let data6 = data5[i1];
if(typeof data6 === "string"){
if(func3(data6) < 1){
const err21 = {instancePath:instancePath+"/shares/" + i1,schemaPath:"#/definitions/columnName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/shares/" + i1,schemaPath:"#/definitions/columnName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.means !== undefined){
let data7 = data.means;
if(Array.isArray(data7)){
if(data7.length < 1){
const err24 = {instancePath:instancePath+"/means",schemaPath:"#/properties/means/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
let data8 = data7[i2];
if(typeof data8 === "string"){
if(func3(data8) < 1){
const err25 = {instancePath:instancePath+"/means/" + i2,schemaPath:"#/definitions/columnName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/means/" + i2,schemaPath:"#/definitions/columnName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
else {
const err27 = {instancePath:instancePath+"/means",schemaPath:"#/properties/means/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.expect !== undefined){
if(!(validate44(data.expect, {instancePath:instancePath+"/expect",parentData:data,parentDataProperty:"expect",rootData}))){
vErrors = vErrors === null ? validate44.errors : vErrors.concat(validate44.errors);
errors = vErrors.length;
}
}
if(data.warn !== undefined){
if(!(validate44(data.warn, {instancePath:instancePath+"/warn",parentData:data,parentDataProperty:"warn",rootData}))){
vErrors = vErrors === null ? validate44.errors : vErrors.concat(validate44.errors);
errors = vErrors.length;
}
}
}
else {
const err28 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
validate43.errors = vErrors;
return errors === 0;
}


function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="https://whatif.invalid/schemas/study.v1.json" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.version === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"},message:"must have required property '"+"version"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.datasets === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "datasets"},message:"must have required property '"+"datasets"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.scenarios === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "scenarios"},message:"must have required property '"+"scenarios"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!((func2.call(schema11.properties, key0)) || (pattern0.test(key0)))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.version !== undefined){
if(1 !== data.version){
const err5 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/const",keyword:"const",params:{allowedValue: 1},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.name !== undefined){
let data1 = data.name;
const _errs6 = errors;
const _errs7 = errors;
if(typeof data1 === "string"){
if(!pattern1.test(data1)){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
var valid2 = _errs7 === errors;
if(valid2){
const err7 = {instancePath:instancePath+"/name",schemaPath:"#/definitions/slug/not",keyword:"not",params:{},message:"must NOT be valid"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
else {
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
}
if(typeof data1 === "string"){
if(func3(data1) > 40){
const err8 = {instancePath:instancePath+"/name",schemaPath:"#/definitions/slug/maxLength",keyword:"maxLength",params:{limit: 40},message:"must NOT have more than 40 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!pattern2.test(data1)){
const err9 = {instancePath:instancePath+"/name",schemaPath:"#/definitions/slug/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]+(?:[._-][a-z0-9]+)*$"},message:"must match pattern \""+"^[a-z0-9]+(?:[._-][a-z0-9]+)*$"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/name",schemaPath:"#/definitions/slug/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err11 = {instancePath:instancePath+"/description",schemaPath:"#/definitions/prose/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.owner !== undefined){
let data3 = data.owner;
if((typeof data3 !== "string") && (!(Array.isArray(data3)))){
const err12 = {instancePath:instancePath+"/owner",schemaPath:"#/definitions/proseOrList/type",keyword:"type",params:{type: schema14.type},message:"must be string,array"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
if(typeof data3[i0] !== "string"){
const err13 = {instancePath:instancePath+"/owner/" + i0,schemaPath:"#/definitions/proseOrList/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
}
if(data.tags !== undefined){
let data5 = data.tags;
if(Array.isArray(data5)){
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
let data6 = data5[i1];
if(typeof data6 === "string"){
if(func3(data6) > 100){
const err14 = {instancePath:instancePath+"/tags/" + i1,schemaPath:"#/definitions/tags/items/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(func3(data6) < 1){
const err15 = {instancePath:instancePath+"/tags/" + i1,schemaPath:"#/definitions/tags/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/tags/" + i1,schemaPath:"#/definitions/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath:instancePath+"/tags",schemaPath:"#/definitions/tags/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.links !== undefined){
let data7 = data.links;
if((typeof data7 !== "string") && (!(Array.isArray(data7)))){
const err18 = {instancePath:instancePath+"/links",schemaPath:"#/definitions/proseOrList/type",keyword:"type",params:{type: schema14.type},message:"must be string,array"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(Array.isArray(data7)){
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
if(typeof data7[i2] !== "string"){
const err19 = {instancePath:instancePath+"/links/" + i2,schemaPath:"#/definitions/proseOrList/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
}
if(data.datasets !== undefined){
let data9 = data.datasets;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(Object.keys(data9).length < 1){
const err20 = {instancePath:instancePath+"/datasets",schemaPath:"#/properties/datasets/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
for(const key1 in data9){
const _errs28 = errors;
const _errs31 = errors;
const _errs32 = errors;
if(typeof key1 === "string"){
if(!pattern1.test(key1)){
const err21 = {};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
var valid15 = _errs32 === errors;
if(valid15){
const err22 = {instancePath:instancePath+"/datasets",schemaPath:"#/definitions/slug/not",keyword:"not",params:{},message:"must NOT be valid",propertyName:key1};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
else {
errors = _errs31;
if(vErrors !== null){
if(_errs31){
vErrors.length = _errs31;
}
else {
vErrors = null;
}
}
}
if(typeof key1 === "string"){
if(func3(key1) > 40){
const err23 = {instancePath:instancePath+"/datasets",schemaPath:"#/definitions/slug/maxLength",keyword:"maxLength",params:{limit: 40},message:"must NOT have more than 40 characters",propertyName:key1};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(!pattern2.test(key1)){
const err24 = {instancePath:instancePath+"/datasets",schemaPath:"#/definitions/slug/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]+(?:[._-][a-z0-9]+)*$"},message:"must match pattern \""+"^[a-z0-9]+(?:[._-][a-z0-9]+)*$"+"\"",propertyName:key1};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/datasets",schemaPath:"#/definitions/slug/type",keyword:"type",params:{type: "string"},message:"must be string",propertyName:key1};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
var valid13 = _errs28 === errors;
if(!valid13){
const err26 = {instancePath:instancePath+"/datasets",schemaPath:"#/properties/datasets/propertyNames",keyword:"propertyNames",params:{propertyName: key1},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
for(const key2 in data9){
if(!(validate11(data9[key2], {instancePath:instancePath+"/datasets/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data9,parentDataProperty:key2,rootData}))){
vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
errors = vErrors.length;
}
}
}
else {
const err27 = {instancePath:instancePath+"/datasets",schemaPath:"#/properties/datasets/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.defaults !== undefined){
if(!(validate13(data.defaults, {instancePath:instancePath+"/defaults",parentData:data,parentDataProperty:"defaults",rootData}))){
vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
errors = vErrors.length;
}
}
if(data.scenarios !== undefined){
let data12 = data.scenarios;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(Object.keys(data12).length < 1){
const err28 = {instancePath:instancePath+"/scenarios",schemaPath:"#/properties/scenarios/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
for(const key3 in data12){
const _errs38 = errors;
const _errs41 = errors;
const _errs42 = errors;
if(typeof key3 === "string"){
if(!pattern1.test(key3)){
const err29 = {};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
var valid19 = _errs42 === errors;
if(valid19){
const err30 = {instancePath:instancePath+"/scenarios",schemaPath:"#/definitions/slug/not",keyword:"not",params:{},message:"must NOT be valid",propertyName:key3};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
else {
errors = _errs41;
if(vErrors !== null){
if(_errs41){
vErrors.length = _errs41;
}
else {
vErrors = null;
}
}
}
if(typeof key3 === "string"){
if(func3(key3) > 40){
const err31 = {instancePath:instancePath+"/scenarios",schemaPath:"#/definitions/slug/maxLength",keyword:"maxLength",params:{limit: 40},message:"must NOT have more than 40 characters",propertyName:key3};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(!pattern2.test(key3)){
const err32 = {instancePath:instancePath+"/scenarios",schemaPath:"#/definitions/slug/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]+(?:[._-][a-z0-9]+)*$"},message:"must match pattern \""+"^[a-z0-9]+(?:[._-][a-z0-9]+)*$"+"\"",propertyName:key3};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/scenarios",schemaPath:"#/definitions/slug/type",keyword:"type",params:{type: "string"},message:"must be string",propertyName:key3};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
var valid17 = _errs38 === errors;
if(!valid17){
const err34 = {instancePath:instancePath+"/scenarios",schemaPath:"#/properties/scenarios/propertyNames",keyword:"propertyNames",params:{propertyName: key3},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
for(const key4 in data12){
if(!(validate26(data12[key4], {instancePath:instancePath+"/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data12,parentDataProperty:key4,rootData}))){
vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
errors = vErrors.length;
}
}
}
else {
const err35 = {instancePath:instancePath+"/scenarios",schemaPath:"#/properties/scenarios/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data.baseline !== undefined){
let data14 = data.baseline;
if(typeof data14 === "string"){
if(func3(data14) > 120){
const err36 = {instancePath:instancePath+"/baseline",schemaPath:"#/definitions/scenarioReference/maxLength",keyword:"maxLength",params:{limit: 120},message:"must NOT have more than 120 characters"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(func3(data14) < 1){
const err37 = {instancePath:instancePath+"/baseline",schemaPath:"#/definitions/scenarioReference/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
else {
const err38 = {instancePath:instancePath+"/baseline",schemaPath:"#/definitions/scenarioReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data.comparisons !== undefined){
let data15 = data.comparisons;
if(Array.isArray(data15)){
const len3 = data15.length;
for(let i3=0; i3<len3; i3++){
if(!(validate43(data15[i3], {instancePath:instancePath+"/comparisons/" + i3,parentData:data15,parentDataProperty:i3,rootData}))){
vErrors = vErrors === null ? validate43.errors : vErrors.concat(validate43.errors);
errors = vErrors.length;
}
}
}
else {
const err39 = {instancePath:instancePath+"/comparisons",schemaPath:"#/properties/comparisons/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data.budget !== undefined){
let data17 = data.budget;
if(data17 && typeof data17 == "object" && !Array.isArray(data17)){
for(const key5 in data17){
if(!((((key5 === "rows_per_run") || (key5 === "rows_per_scenario")) || (key5 === "new_datasets_per_run")) || (pattern0.test(key5)))){
const err40 = {instancePath:instancePath+"/budget",schemaPath:"#/properties/budget/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data17.rows_per_run !== undefined){
let data18 = data17.rows_per_run;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
const err41 = {instancePath:instancePath+"/budget/rows_per_run",schemaPath:"#/properties/budget/properties/rows_per_run/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 < 0 || isNaN(data18)){
const err42 = {instancePath:instancePath+"/budget/rows_per_run",schemaPath:"#/properties/budget/properties/rows_per_run/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
}
if(data17.rows_per_scenario !== undefined){
let data19 = data17.rows_per_scenario;
if(!(((typeof data19 == "number") && (!(data19 % 1) && !isNaN(data19))) && (isFinite(data19)))){
const err43 = {instancePath:instancePath+"/budget/rows_per_scenario",schemaPath:"#/properties/budget/properties/rows_per_scenario/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 < 1 || isNaN(data19)){
const err44 = {instancePath:instancePath+"/budget/rows_per_scenario",schemaPath:"#/properties/budget/properties/rows_per_scenario/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
}
if(data17.new_datasets_per_run !== undefined){
let data20 = data17.new_datasets_per_run;
if(!(((typeof data20 == "number") && (!(data20 % 1) && !isNaN(data20))) && (isFinite(data20)))){
const err45 = {instancePath:instancePath+"/budget/new_datasets_per_run",schemaPath:"#/properties/budget/properties/new_datasets_per_run/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
if((typeof data20 == "number") && (isFinite(data20))){
if(data20 < 0 || isNaN(data20)){
const err46 = {instancePath:instancePath+"/budget/new_datasets_per_run",schemaPath:"#/properties/budget/properties/new_datasets_per_run/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
}
}
else {
const err47 = {instancePath:instancePath+"/budget",schemaPath:"#/properties/budget/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data.policy !== undefined){
let data21 = data.policy;
if(data21 && typeof data21 == "object" && !Array.isArray(data21)){
for(const key6 in data21){
if(!(((((key6 === "partial") || (key6 === "on_failure")) || (key6 === "drift")) || (key6 === "mixed_model")) || (pattern0.test(key6)))){
const err48 = {instancePath:instancePath+"/policy",schemaPath:"#/properties/policy/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data21.partial !== undefined){
if(!(validate20(data21.partial, {instancePath:instancePath+"/policy/partial",parentData:data21,parentDataProperty:"partial",rootData}))){
vErrors = vErrors === null ? validate20.errors : vErrors.concat(validate20.errors);
errors = vErrors.length;
}
}
if(data21.on_failure !== undefined){
let data23 = data21.on_failure;
if(!((data23 === "continue") || (data23 === "stop"))){
const err49 = {instancePath:instancePath+"/policy/on_failure",schemaPath:"#/properties/policy/properties/on_failure/enum",keyword:"enum",params:{allowedValues: schema11.properties.policy.properties.on_failure.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data21.drift !== undefined){
let data24 = data21.drift;
if(!((data24 === "fail") || (data24 === "warn"))){
const err50 = {instancePath:instancePath+"/policy/drift",schemaPath:"#/properties/policy/properties/drift/enum",keyword:"enum",params:{allowedValues: schema11.properties.policy.properties.drift.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data21.mixed_model !== undefined){
let data25 = data21.mixed_model;
if(!((data25 === "fail") || (data25 === "warn"))){
const err51 = {instancePath:instancePath+"/policy/mixed_model",schemaPath:"#/properties/policy/properties/mixed_model/enum",keyword:"enum",params:{allowedValues: schema11.properties.policy.properties.mixed_model.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
}
else {
const err52 = {instancePath:instancePath+"/policy",schemaPath:"#/properties/policy/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data.output !== undefined){
let data26 = data.output;
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
for(const key7 in data26){
if(!((key7 === "dir") || (pattern0.test(key7)))){
const err53 = {instancePath:instancePath+"/output",schemaPath:"#/properties/output/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
if(data26.dir !== undefined){
let data27 = data26.dir;
if(typeof data27 === "string"){
if(func3(data27) > 1024){
const err54 = {instancePath:instancePath+"/output/dir",schemaPath:"#/properties/output/properties/dir/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
if(func3(data27) < 1){
const err55 = {instancePath:instancePath+"/output/dir",schemaPath:"#/properties/output/properties/dir/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
else {
const err56 = {instancePath:instancePath+"/output/dir",schemaPath:"#/properties/output/properties/dir/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
}
else {
const err57 = {instancePath:instancePath+"/output",schemaPath:"#/properties/output/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
if(data.limits !== undefined){
let data28 = data.limits;
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
for(const key8 in data28){
if(!((key8 === "max_scenarios") || (pattern0.test(key8)))){
const err58 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data28.max_scenarios !== undefined){
let data29 = data28.max_scenarios;
if(!(((typeof data29 == "number") && (!(data29 % 1) && !isNaN(data29))) && (isFinite(data29)))){
const err59 = {instancePath:instancePath+"/limits/max_scenarios",schemaPath:"#/properties/limits/properties/max_scenarios/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
if((typeof data29 == "number") && (isFinite(data29))){
if(data29 > 100000 || isNaN(data29)){
const err60 = {instancePath:instancePath+"/limits/max_scenarios",schemaPath:"#/properties/limits/properties/max_scenarios/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100000},message:"must be <= 100000"};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
if(data29 < 1 || isNaN(data29)){
const err61 = {instancePath:instancePath+"/limits/max_scenarios",schemaPath:"#/properties/limits/properties/max_scenarios/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
}
}
else {
const err62 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
}
else {
const err63 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

export const validateFields = validate49;

function validate49(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((func2.call(schema20.properties, key0)) || (pattern0.test(key0)))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.dataset !== undefined){
let data0 = data.dataset;
if(typeof data0 === "string"){
if(func3(data0) < 1){
const err1 = {instancePath:instancePath+"/dataset",schemaPath:"#/definitions/datasetReference/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/dataset",schemaPath:"#/definitions/datasetReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.rows !== undefined){
let data1 = data.rows;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err3 = {instancePath:instancePath+"/rows",schemaPath:"#/definitions/rows/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 1 || isNaN(data1)){
const err4 = {instancePath:instancePath+"/rows",schemaPath:"#/definitions/rows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
if(data.seed !== undefined){
let data2 = data.seed;
if((!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))) && (typeof data2 !== "string")){
const err5 = {instancePath:instancePath+"/seed",schemaPath:"#/definitions/seed/type",keyword:"type",params:{type: schema23.type},message:"must be integer,string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
const _errs11 = errors;
let valid4 = true;
const _errs12 = errors;
if(typeof data2 !== "string"){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var _valid0 = _errs12 === errors;
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs14 = errors;
if(!(data2 === "random")){
const err7 = {instancePath:instancePath+"/seed",schemaPath:"#/definitions/seed/then/enum",keyword:"enum",params:{allowedValues: schema23.then.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
var _valid0 = _errs14 === errors;
valid4 = _valid0;
}
if(!valid4){
const err8 = {instancePath:instancePath+"/seed",schemaPath:"#/definitions/seed/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.format !== undefined){
let data3 = data.format;
if(!(((data3 === "parquet") || (data3 === "csv")) || (data3 === "arrow"))){
const err9 = {instancePath:instancePath+"/format",schemaPath:"#/definitions/format/enum",keyword:"enum",params:{allowedValues: schema24.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.shares !== undefined){
if(!(validate14(data.shares, {instancePath:instancePath+"/shares",parentData:data,parentDataProperty:"shares",rootData}))){
vErrors = vErrors === null ? validate14.errors : vErrors.concat(validate14.errors);
errors = vErrors.length;
}
}
if(data.ranges !== undefined){
if(!(validate18(data.ranges, {instancePath:instancePath+"/ranges",parentData:data,parentDataProperty:"ranges",rootData}))){
vErrors = vErrors === null ? validate18.errors : vErrors.concat(validate18.errors);
errors = vErrors.length;
}
}
if(data.partial !== undefined){
if(!(validate20(data.partial, {instancePath:instancePath+"/partial",parentData:data,parentDataProperty:"partial",rootData}))){
vErrors = vErrors === null ? validate20.errors : vErrors.concat(validate20.errors);
errors = vErrors.length;
}
}
if(data.expect !== undefined){
if(!(validate22(data.expect, {instancePath:instancePath+"/expect",parentData:data,parentDataProperty:"expect",rootData}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
if(data.warn !== undefined){
if(!(validate22(data.warn, {instancePath:instancePath+"/warn",parentData:data,parentDataProperty:"warn",rootData}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
if(data.tags !== undefined){
let data9 = data.tags;
if(Array.isArray(data9)){
const len0 = data9.length;
for(let i0=0; i0<len0; i0++){
let data10 = data9[i0];
if(typeof data10 === "string"){
if(func3(data10) > 100){
const err10 = {instancePath:instancePath+"/tags/" + i0,schemaPath:"#/definitions/tags/items/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(func3(data10) < 1){
const err11 = {instancePath:instancePath+"/tags/" + i0,schemaPath:"#/definitions/tags/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/tags/" + i0,schemaPath:"#/definitions/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/tags",schemaPath:"#/definitions/tags/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate49.errors = vErrors;
return errors === 0;
}
