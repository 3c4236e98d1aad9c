// SPDX-License-Identifier: Apache-2.0
// The parser of PTX.
#include <cstdlib>
#include <cstring>

#include "program.h"
#include "reader.h"

namespace software {
namespace {

std::vector<std::string> split(const std::string &name) {
    std::vector<std::string> words;
    size_t at = 0;
    while (at <= name.size()) {
        size_t end = std::min(name.find('.', at), name.size());
        words.push_back(name.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

size_t bytesOf(const std::string &type) {
    if (type == "pred") {
        return 1;
    }
    return type.size() < 2 ? 0 : (size_t)atoi(type.c_str() + 1) / 8;
}

class Parser : Reader {
  public:
    Parser(const char *text, Place place) : Reader(text), program(new Program()), place(place) {}

    std::unique_ptr<Program> run() {
        while (!isAtEnd()) {
            declaration();
        }
        return std::move(program);
    }

  private:
    std::unique_ptr<Program> program;
    Place place;
    Function *function = nullptr;
    std::map<std::string, int> registers;
    std::map<std::string, Parameter> slots;  // parameters of the function, and of its calls
    std::map<std::string, size_t> locals;    // offsets in the frame's local memory
    std::map<u64, Operand> constants;
    std::map<std::string, int> labels;
    std::vector<std::pair<int, std::string>> branches;

    // ".align 8 .b8 name[16]", after the space; returns the name and sets the bytes.
    std::string variable(size_t &alignment, size_t &bytes) {
        alignment = 1;
        size_t element = 0;
        while (peek()[0] == '.') {
            std::string word = take().substr(1);
            if (word == "align") {
                alignment = number();
            } else if (bytesOf(word) != 0) {
                element = bytesOf(word);
            } else if (word != "ptr" && word != "global") {
                refuse("unknown word ." + word);
            }
        }
        alignment = std::max(alignment, element);
        std::string name = take();
        bytes = element;
        while (takes("[")) {
            bytes *= peek() == "]" ? 0 : number();
            expect("]");
        }
        return name;
    }

    void declaration() {
        std::string word = take();
        if (word == ".visible" || word == ".extern" || word == ".weak" || word == ".common") {
            return;
        }
        if (word == ".entry" || word == ".func") {
            define(word == ".entry");
        } else if (word == ".global" || word == ".const") {
            global();
        } else if (word == ".shared") {
            shared();
        } else if (word == ".pragma" || word == ".alias") {
            skipStatement();
        } else {
            next--;
            refuse("unknown declaration");
        }
    }

    void global() {
        size_t alignment, bytes;
        std::string name = variable(alignment, bytes);
        Variable &made = program->globals[name];
        made.bytes = bytes;
        made.address = place(bytes);
        if (takes("=")) {
            if (takes("{")) {
                while (!takes("}")) {
                    made.value.push_back((char)number());
                    takes(",");
                }
            } else {
                u64 value = number();
                made.value.assign((char *)&value, (char *)&value + bytes);
            }
        }
        expect(";");
    }

    void shared() {
        size_t alignment, bytes;
        std::string name = variable(alignment, bytes);
        if (bytes != 0) {
            program->sharedBytes = (program->sharedBytes + alignment - 1) / alignment * alignment;
        }
        // What has no size begins where the rest ends: all declarations come before the code.
        program->shared[name] = bytes != 0 ? SHARED + program->sharedBytes : 0;
        program->sharedBytes += bytes;
        expect(";");
    }

    // Reserves a parameter in the frame.
    Parameter slot(const std::string &name, size_t alignment, size_t bytes) {
        auto found = slots.find(name);
        if (found != slots.end() && found->second.bytes >= bytes) {
            return found->second;
        }
        alignment = std::max<size_t>(alignment, 8);
        function->parameterBytes = (function->parameterBytes + alignment - 1) / alignment * alignment;
        Parameter made = {function->parameterBytes, bytes};
        function->parameterBytes += bytes;
        return slots[name] = made;
    }

    std::vector<Parameter> formals() {
        std::vector<Parameter> made;
        while (!takes(")")) {
            expect(".param");
            size_t alignment, bytes;
            std::string name = variable(alignment, bytes);
            made.push_back(slot(name, alignment, bytes));
            takes(",");
        }
        return made;
    }

    void define(bool isKernel) {
        Function read;
        function = &read;
        registers.clear();
        slots.clear();
        locals.clear();
        constants.clear();
        labels.clear();
        branches.clear();
        read.registers = SPECIALS;
        if (!isKernel && takes("(")) {
            read.results = formals();
        }
        read.name = take();
        read.isKernel = isKernel;
        if (takes("(")) {
            read.parameters = formals();
        }
        while (peek()[0] == '.') {  // .maxntid 128, 1, 1
            next++;
            while (isNumber(peek()) || peek() == ",") {
                next++;
            }
        }
        std::unique_ptr<Function> &known = program->functions[read.name];
        if (known == nullptr) {
            known.reset(new Function());
            known->name = read.name;
        }
        if (takes(";")) {
            return;
        }
        expect("{");
        // Calls name functions by their address, which a declaration may have given away.
        body();
        for (auto &each : branches) {
            auto label = labels.find(each.second);
            if (label == labels.end()) {
                refuse("no label " + each.second);
            }
            read.code[each.first].target = label->second;
        }
        read.isDefined = true;
        *known = std::move(read);
    }

    void body() {
        std::vector<std::map<std::string, int>> outer = {{}};  // registers of the scopes around
        while (!outer.empty()) {
            const std::string &word = peek();
            if (takes("{")) {
                outer.push_back(registers);
            } else if (takes("}")) {
                registers = outer.back();
                outer.pop_back();
            } else if (takes(";")) {
                continue;
            } else if (word == ".reg") {
                next += 2;  // and the type
                do {
                    std::string name = take();
                    if (takes("<")) {
                        int count = (int)number();
                        expect(">");
                        for (int i = 0; i < count; i++) {
                            registers[name + std::to_string(i)] = function->registers++;
                        }
                    } else {
                        registers[name] = function->registers++;
                    }
                } while (takes(","));
                expect(";");
            } else if (word == ".param" || word == ".local") {
                bool isLocal = take() == ".local";
                size_t alignment, bytes;
                std::string name = variable(alignment, bytes);
                if (isLocal) {
                    size_t &end = function->localBytes;
                    end = (end + alignment - 1) / alignment * alignment;
                    locals[name] = end;
                    end += bytes;
                } else {
                    slot(name, alignment, bytes);
                }
                expect(";");
            } else if (word == ".shared") {
                next++;
                shared();
            } else if (word == ".pragma") {
                skipStatement();
            } else if (isLabel()) {
                labels[take()] = (int)function->code.size();
                next++;
            } else {
                instruction();
            }
        }
        Instruction last;  // a body may end without one
        last.handler = handlerOf({"ret"}, last);
        function->code.push_back(last);
    }

    int registerOf(const std::string &name) {
        static const std::map<std::string, int> specials = {
            {"%tid.x", TID_X},     {"%tid.y", TID_Y},       {"%tid.z", TID_Z},       {"%ntid.x", NTID_X},
            {"%ntid.y", NTID_Y},   {"%ntid.z", NTID_Z},     {"%ctaid.x", CTAID_X},   {"%ctaid.y", CTAID_Y},
            {"%ctaid.z", CTAID_Z}, {"%nctaid.x", NCTAID_X}, {"%nctaid.y", NCTAID_Y}, {"%nctaid.z", NCTAID_Z},
            {"%laneid", LANEID}};
        auto own = registers.find(name);
        if (own != registers.end()) {
            return own->second;
        }
        auto special = specials.find(name);
        return special == specials.end() ? -1 : special->second;
    }

    Operand constant(u64 value) {
        auto found = constants.find(value);
        if (found == constants.end()) {
            found = constants.emplace(value, ~(Operand)function->constants.size()).first;
            function->constants.push_back(value);
        }
        return found->second;
    }

    // A register, a number, or the address of a variable, of which a frame has a part in the offset.
    Operand operand(Instruction &made) {
        if (isNumber(peek())) {
            return constant(number());
        }
        std::string name = take();
        int known = registerOf(name);
        if (known >= 0) {
            return known;
        }
        if (slots.count(name)) {
            made.offset += (int64_t)slots[name].offset;
            return FRAME_PARAMETERS;
        }
        if (locals.count(name)) {
            made.offset += (int64_t)locals[name];
            return FRAME_LOCAL;
        }
        if (program->shared.count(name)) {
            u64 address = program->shared[name];
            return constant(address != 0 ? address : SHARED + (program->sharedBytes + 15) / 16 * 16);
        }
        if (program->globals.count(name)) {
            return constant(program->globals[name].address);
        }
        next--;
        refuse("unknown name");
    }

    int result() {
        std::string name = take();
        if (name == "_") {
            return function->registers++;
        }
        int known = registerOf(name);
        if (known < SPECIALS) {
            next--;
            refuse("expected a register");
        }
        return known;
    }

    void address(Instruction &made, int place) {
        expect("[");
        made.operands[place] = operand(made);
        if (takes("+")) {
            made.offset += (int64_t)number();
        } else if (peek() == "-") {
            made.offset += (int64_t)number();
        }
        expect("]");
    }

    void call(Instruction &made) {
        auto list = [this]() {
            std::vector<size_t> found;
            expect("(");
            while (!takes(")")) {
                std::string name = take();
                if (!slots.count(name)) {
                    refuse("a call without a parameter of this name");
                }
                found.push_back(slots[name].offset);
                takes(",");
            }
            return found;
        };
        if (peek() == "(") {
            made.returned = list();
            expect(",");
        }
        auto callee = program->functions.find(take());
        if (callee == program->functions.end()) {
            next--;
            refuse("unknown function");
        }
        made.callee = callee->second.get();
        if (takes(",")) {
            made.passed = list();
        }
    }

    void instruction() {
        Instruction made;
        made.line = all[next].line;
        if (takes("@")) {
            made.isNegated = takes("!");
            made.guard = result();
        }
        std::vector<std::string> words = split(take());
        const std::string &name = words[0];
        made.handler = handlerOf(words, made);
        if (made.handler == nullptr) {
            next--;
            refuse("an instruction that this machine does not know");
        }
        if (name == "bra") {
            branches.push_back({(int)function->code.size(), take()});
        } else if (name == "call") {
            call(made);
        } else if (name == "ld") {
            elements([&](int i) { made.results[i] = result(); });
            expect(",");
            address(made, 0);
        } else if (name == "st") {
            address(made, 0);
            expect(",");
            elements([&](int i) { made.operands[1 + i] = operand(made); });
        } else if (name == "atom" || name == "red") {
            if (name == "atom") {
                made.results[0] = result();
                expect(",");
            }
            address(made, 0);
            rest(made, 1);
        } else if (name == "mov") {
            move(made);
        } else {
            if (!isOperandOnly(words)) {
                made.results[0] = result();
                if (takes("|")) {
                    made.results[1] = result();
                }
                expect(",");
                operandInto(made, 0);
                rest(made, 1);
            } else if (peek() != ";") {
                operandInto(made, 0);
                if (name == "bar" && peek() == ",") {
                    refuse("a barrier of some threads, which this machine does not know");
                }
                rest(made, 1);
            }
        }
        expect(";");
        function->code.push_back(std::move(made));
    }

    // Instructions without a result.
    static bool isOperandOnly(const std::vector<std::string> &words) {
        const std::string &name = words[0];
        return name == "ret" || name == "exit" || name == "trap" || name == "membar" || name == "fence" ||
               name == "nanosleep" || (name == "bar" && words[1] != "red");
    }

    template <typename Each>
    void elements(Each each) {
        if (!takes("{")) {
            each(0);
            return;
        }
        int count = 0;
        do {
            each(count++);
        } while (takes(","));
        expect("}");
    }

    void operandInto(Instruction &made, int place) {
        if (takes("!")) {
            refuse("a negated operand, which this machine does not know");
        }
        made.operands[place] = operand(made);
    }

    void rest(Instruction &made, int place) {
        while (takes(",")) {
            operandInto(made, place++);
        }
    }

    // mov also packs and unpacks, and takes addresses.
    void move(Instruction &made) {
        int count = 0;
        elements([&](int i) {
            made.results[i] = result();
            count = i + 1;
        });
        expect(",");
        int sources = 0;
        elements([&](int i) {
            if (peek() == "%globaltimer" || peek() == "%clock64") {
                next++;
                made.handler = handlerOf({"globaltimer"}, made);
            } else {
                operandInto(made, i);
            }
            sources = i + 1;
        });
        made.vector = count > 1 ? count : -sources;
    }
};

}  // namespace

std::unique_ptr<Program> parse(const char *text, Place place) { return Parser(text, place).run(); }

}  // namespace software
